# SPDX-License-Identifier: Apache-2.0
"""Write a message as a SigMF recording of bursts that went through a channel.

The message is divided into frames. Each frame gets a tag of 4 bytes, is coded
(K = 7, rate 1/2), encrypted with Grain-128PLE and modulated with 4 samples per
symbol. Without --key, the command generates a random key, writes it to NAME.key
and uses the frame counters from 0 on. The key is not part of the recording: do
not pass on NAME.key with it. samara phy open prints the message again.

Never use a frame counter twice with the same key: with --key, --counter must
give the first unused one.

\b
Examples:
  samara phy record hello --message 'hello over the air'
  samara phy record heard -i reading --ebn0 8 --offset 5000 \\
    --multipath three-ray
  samara phy record plain --message hello --no-encrypt
"""

from samara.cli.shared.answering import answering
from samara.phy.recording_messages import record_message

command = answering(record_message, writes=False)
