// Written by tools/types-of-records from the fields of samara's records.

/** Where a figure comes from. */
export type Origin = "measured" | "published" | "estimated" | "host clock" | "emulated" | "assumed";

/** A value that somebody may quote; null if there is no such number. */
export interface Figure {
  value: number | null;
  unit: string;
  origin: Origin;
  source: string;
}

/** How many results were accepted; the last line. */
export interface Acceptance {
  type: "accept";
  /** Results that were measured and accepted. */
  accepted: number;
  /** Figures that changed. */
  differences: number;
}

/** Something that a person can do to a link or to a node. */
export interface ActionOffered {
  type: "action_offered";
  /** Its name. */
  name: string;
  /** What it is done to: `left`, `right`, `both` or `air`. */
  group: string;
  /** On the button. */
  label: string;
  /** What it does, in a sentence. */
  help: string;
}

/** A cipher whose name is kept; the last line. */
export interface AddedCipher {
  type: "added_cipher";
  /** Name for `samara bench run` and `show`. */
  name: string;
  /** What its answers were compared with. */
  compared_with: string;
}

export interface LifeOfChoice {
  /** 10 % of draws are below. Unit: year. */
  low: Figure;
  /** 50 % of draws are below. Unit: year. */
  median: Figure;
  /** 90 % of draws are below. Unit: year. */
  high: Figure;
}

export interface ChoiceFields {
  /** `link`, `payload` or `physical`. */
  layer: string;
  /** Slug of the suite. */
  suite: string;
  /** What the cipher is. */
  standing: "standard" | "finalist" | "research";
  /** Size of the tag. Unit: byte. */
  tag_bytes: number;
  /** Whether it encrypts. */
  encrypts: boolean;
  /** Whether others' software for the standard of the link opens it, or frames of another standard carry it. */
  interoperable: boolean;
  /** Options of `samara node init` that make it. */
  options: Record<string, unknown>;
  /** Implementation of the suite. */
  implementation: string;
  /** Optimisation, as `O2`. */
  opt: string;
  /** All frames of a message. Unit: byte. */
  air_bytes: number;
  /** Of a message, with listening and sleep until the next. Unit: J. */
  energy: Figure;
  /** What of it security takes. Unit: J. */
  security_energy: Figure;
  /** Life of the battery. */
  life: LifeOfChoice;
  /** Mean time of a hop. Unit: s. */
  latency: Figure;
  /** Flash. Unit: byte. */
  flash_bytes: number;
  /** RAM, stack included. Unit: byte. */
  ram_bytes: number;
  /** Chance that one forged frame is accepted in the years asked for, while forged frames fill the radio's time. */
  forgery: number | null;
  /** Forged frames that an attacker can send. Unit: 1/year. */
  forgeries_per_year: number | null;
}

export interface AlternativeChoice {
  /** `link`, `payload` or `physical`. */
  layer: string;
  /** Slug of the suite. */
  suite: string;
  /** What the cipher is. */
  standing: "standard" | "finalist" | "research";
  /** Size of the tag. Unit: byte. */
  tag_bytes: number;
  /** Whether it encrypts. */
  encrypts: boolean;
  /** Whether others' software for the standard of the link opens it, or frames of another standard carry it. */
  interoperable: boolean;
  /** Options of `samara node init` that make it. */
  options: Record<string, unknown>;
  /** Implementation of the suite. */
  implementation: string;
  /** Optimisation, as `O2`. */
  opt: string;
  /** All frames of a message. Unit: byte. */
  air_bytes: number;
  /** Of a message, with listening and sleep until the next. Unit: J. */
  energy: Figure;
  /** What of it security takes. Unit: J. */
  security_energy: Figure;
  /** Life of the battery. */
  life: LifeOfChoice;
  /** Mean time of a hop. Unit: s. */
  latency: Figure;
  /** Flash. Unit: byte. */
  flash_bytes: number;
  /** RAM, stack included. Unit: byte. */
  ram_bytes: number;
  /** Chance that one forged frame is accepted in the years asked for, while forged frames fill the radio's time. */
  forgery: number | null;
  /** Forged frames that an attacker can send. Unit: 1/year. */
  forgeries_per_year: number | null;
  /** What it takes the least of. */
  least: "energy" | "flash";
  /** Energy of a message more than recommended. Unit: J. */
  energy_j_more: number | null;
  /** Flash more than recommended. Unit: byte. */
  flash_bytes_more: number;
}

export interface BrokenLimit {
  /** Name of the limit. */
  limit: string;
  /** What was asked for; `null` where it is no number. */
  allowed: number | null;
  /** What the choice has. */
  found: number | null;
  /** Option of `samara advise` that sets it. */
  option: string;
  /** Value of the option that would do; `null` for one without a value. */
  value: string | null;
}

/** The recommendation, or what to relax; choices follow. */
export interface Advice {
  type: "advice";
  /** The best that keeps all limits. */
  recommended: ChoiceFields | null;
  /** The same in words, or what to relax. */
  sentence: string;
  /** What fits too with the least energy, and with the least flash. */
  alternatives: Array<AlternativeChoice>;
  /** What to relax when nothing fits. */
  relax: Array<BrokenLimit>;
  /** Limits that a node without security does not keep either. */
  unreachable: Array<BrokenLimit>;
  /** What fits when that is relaxed. */
  then_fits: ChoiceFields | null;
  /** Commands that make what is recommended. */
  commands: Array<string>;
  /** Kind of link. */
  link: string;
  /** Name of the device. */
  device: string;
  /** Name of the radio. */
  radio: string;
  /** Name of the medium access. */
  mac: string;
  /** Name of the battery. */
  battery: string;
  /** Kinds of parts that were looked for: those that were not named. */
  weighed: Array<string>;
  /** Suites that the bench has not measured on the device. */
  not_measured: Array<string>;
}

export interface OfDraws {
  /** 10 % of draws are below. */
  low: Figure;
  /** 50 % of draws are below. */
  median: Figure;
  /** 90 % of draws are below. */
  high: Figure;
}

export interface AirtimeRanges {
  /** One frame on the air. */
  frame: OfDraws;
  /** One message. */
  transmit: OfDraws;
  /** As many as the band allows. */
  messages_per_hour: OfDraws;
}

/** How long a message is on the air, and how many of them an hour allows. */
export interface MessageAirtime {
  type: "airtime";
  /** Name of the band. */
  band: string;
  /** One frame on the air, of several the first. Unit: s. */
  frame: Figure;
  /** One message, with all that the medium access sends. Unit: s. */
  transmit: Figure;
  /** As many as the band allows. Unit: 1/hour. */
  messages_per_hour: Figure;
  /** The same as ranges of draws. */
  range: AirtimeRanges;
  /** Which of them have more than one value in their range. */
  varies: Array<string>;
}

/** The answer is complete, or why it is not: always the last line. */
export interface AnswerEnd {
  type: "answer_end";
  /** A sentence; empty: the answer is complete. */
  problem: string;
}

/** A sentence about the request. */
export interface AnswerNotice {
  type: "answer_notice";
  /** The sentence. */
  text: string;
  /** Whether the answer may be wrong for it. */
  warns: boolean;
}

/** How far the answer is. */
export interface AnswerProgress {
  type: "answer_progress";
  /** From 0 to 1; null: not known. Unit: 1. */
  share: number | null;
  /** A word or two. */
  doing: string;
}

/** A sentence below the tables. */
export interface AnswerRemark {
  type: "answer_remark";
  /** The sentence. */
  text: string;
  /** Whether lines and spaces stay as they are, as of hex digits. */
  is_verbatim: boolean;
}

export interface AnswerColumn {
  /** What it is. */
  name: string;
  /** Of its numbers; empty: none. */
  unit: string;
  /** Whether it has numbers. */
  numeric: boolean;
}

export interface AnswerCell {
  /** The value in the unit of the column; null: none. */
  value: number | null | string | null;
  /** As tables show it. */
  text: string;
  /** Of a figure; null of words. */
  origin: Origin | null;
  /** Where it comes from, or what it means. */
  source: string;
}

/** A table, as people are shown it. */
export interface AnswerTable {
  type: "answer_table";
  /** Its name. */
  slug: string;
  /** What it is about; may be empty. */
  title: string;
  /** What to know of it; may be empty. */
  caption: string;
  /** The heads of its columns. */
  columns: Array<AnswerColumn>;
  /** A cell for each column. */
  lines: Array<Array<AnswerCell>>;
  /** The command that makes each line; empty: there is none for a line. */
  commands: Array<string>;
}

/** Something that the emulation assumes, because the vendor never published it. */
export interface AssumptionRecord {
  type: "assumption";
  /** What it is. */
  name: string;
  /** What is assumed. */
  assumed: string;
  /** The reason. */
  why: string;
}

/** How many bits flips of the bits of one input change, step by step. */
export interface FlippedBits {
  type: "avalanche";
  /** Name of the cipher. */
  cipher: string;
  /** The input: `key`, `plaintext` or `nonce`. */
  flipped: string;
  /** Random keys and plaintexts. */
  samples: number;
  /** Of the samples. */
  seed: number;
  /** What the steps are: `round` or `clock`. */
  unit: string;
  /** Numbers of rounds or clocks. */
  steps: Array<number>;
  /** The step from which on a flip of any bit changes half of all bits. */
  complete: number | null;
  /** Of bits that change: a list for each step, in it one for each bit that is flipped. */
  shares: Array<Array<number | null>>;
}

export interface Years {
  /** 10 % of draws are below. Unit: year. */
  low: Figure;
  /** 50 % of draws are below. Unit: year. */
  median: Figure;
  /** 90 % of draws are below. Unit: year. */
  high: Figure;
  /** As data sheets state it, without tolerances. Unit: year. */
  stated: Figure;
}

export interface Taken {
  /** 10 % of draws are below. Unit: hour. */
  low: Figure;
  /** 50 % of draws are below. Unit: hour. */
  median: Figure;
  /** 90 % of draws are below. Unit: hour. */
  high: Figure;
  /** Of the life without security, in the median. Unit: 1. */
  share: Figure;
}

/** How long a battery lasts with a kind of security: as given, then as compared. */
export interface BatteryLife {
  type: "battery_life";
  /** The security: as given, or an item of `--compare`. */
  name: string;
  /** Size of a frame. Unit: byte. */
  frame_bytes: number;
  /** Life of the battery. */
  life: Years;
  /** What security takes of the life. */
  taken_by_security: Taken;
  /** Quantities that it depends on and that were not read in their sources. */
  unchecked: Array<string>;
  /** What the life holds only with. */
  doubts: Array<string>;
}

/** Public code for a message, and one of samara's implementations for it. */
export interface BestRecord {
  type: "best_known";
  /** Name of the device. */
  device: string;
  /** Suite or block cipher. */
  suite: string;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** Size of the associated data. Unit: byte. */
  ad_bytes: number;
  /** `seal`, with set-up, `encrypt`, `decrypt` or `set_up`. */
  operation: "set_up" | "seal" | "open" | "encrypt" | "decrypt" | "input_transformation" | "authentication" | "encryption" | "decryption" | "inverse_input_transformation" | "verification";
  /** The public code. */
  implementation: string;
  /** Whether it looks up tables at places that depend on secrets. */
  secret_tables: boolean;
  /** Its cycles or instructions. */
  public: Figure;
  /** Those of samara's implementation. */
  ours: Figure | null;
  /** Ours divided by those of the public code. */
  times: Figure | null;
  /** Whether all of samara's implementations take more; `null` if none is measured. */
  lost: boolean | null;
}

/** One block, encrypted or decrypted. */
export interface Block {
  type: "block";
  /** Slug of the block cipher. */
  cipher: string;
  /** What was done. */
  direction: "encrypt" | "decrypt";
  /** What became of the block. */
  output: string;
}

/** A block cipher, without a mode. */
export interface BlockCipherRecord {
  type: "block_cipher";
  /** Its name. */
  slug: string;
  /** How far it may be relied on. */
  standing: "standard" | "finalist" | "research";
  /** Where it is defined. */
  source: string;
  /** A warning or a remark; may be empty. */
  note: string;
  /** Size of a key. Unit: byte. */
  key_size: number;
  /** Size of a block. Unit: byte. */
  block_size: number;
}

/** What an operation takes on a board and in the simulator. */
export interface BoardCount {
  type: "board";
  /** Board or chip. */
  device: string;
  /** Suite or block cipher. */
  suite: string;
  /** `portable` (C), or that of core/arch. */
  implementation: string;
  /** Optimisation of the compiler. */
  opt: string;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** Size of the associated data. Unit: byte. */
  ad_bytes: number;
  /** `set_up`, `seal` and others. */
  operation: string;
  /** In the simulator. */
  simulated: Figure;
  /** On the board, by its timer. */
  counted: Figure;
  /** Simulator over board; none if the board counted 0. */
  ratio: number | null;
}

/** A program that was copied for a board. */
export interface BoardProgram {
  type: "board_program";
  /** What it tells of itself. */
  program: string;
  /** File of the linker. */
  elf: string;
  /** The same in Intel's format. */
  hex_file: string;
}

/** A burst that was received without the key. */
export interface UnopenedBurst {
  type: "burst";
  /** The most likely payload if the frame were not encrypted. */
  hex: string;
  /** Signal-to-noise ratio. Unit: dB. */
  snr_db: number | null;
  /** Carrier frequency offset in cycles per symbol. */
  offset: number | null;
}

/** A burst of samples was on the air. */
export interface BurstHeard {
  type: "burst_heard";
  /** `left`, `right` or `attacker`; `comparison`: the same message without encryption, which no node has sent. */
  sender: string;
  /** Whether its bits are encrypted. */
  is_encrypted: boolean;
  /** How many were received. */
  samples: number;
  /** How long it was on the air. Unit: s. */
  duration_s: number | null;
  /** Mean, over that of magnitude 1. Unit: dB. */
  power_db: number | null;
  /** The spectrum is so wide. Unit: Hz. */
  bandwidth_hz: number | null;
  /** What 0 stands for in the pictures. Unit: dB. */
  lowest_db: number | null;
  /** What each step above it stands for. Unit: dB. */
  step_db: number | null;
  /** Power by frequency, lowest first: a byte each. */
  spectrum: string;
  /** Rows of the same, in order of time; as many bytes each. */
  waterfall: string;
  /** Received symbols: real and imaginary part, int8, 64 is 1. */
  constellation: string;
}

/** How many frames of a capture were changed; the last line. */
export interface Capture {
  type: "capture";
  /** Number of frames. */
  frames: number;
  /** Number of frames that were changed. */
  changed: number;
}

/** Bit rates of the chain: information bits per second of one core's time. */
export interface ChainSpeed {
  type: "chain_speed";
  /** Channel code. */
  code: "none" | "conv" | "polar" | "tailbiting";
  /** Payload of a frame. Unit: byte. */
  payload_bytes: number;
  /** Whether the bits are encrypted. */
  encrypts: boolean;
  /** Bit rate of encoding. Unit: bit/s. */
  encode: Figure;
  /** Bit rate of decoding. Unit: bit/s. */
  decode: Figure;
  /** Bit rate of both, one after the other. Unit: bit/s. */
  chain: Figure;
}

/** A radio of the channel has sent a burst, and another one has received it. */
export interface ChannelBurst {
  type: "channel_burst";
  /** The number of the radio that sent it, from 0. */
  radio: number;
  /** How many samples were received. */
  samples: number;
  /** Their mean power, over that of magnitude 1. Unit: dB. */
  power_db: number | null;
  /** What one step of `data` stands for. */
  scale: number | null;
  /** The samples, noise included: real and imaginary part, int8 each. */
  data: string;
}

export interface RadioEndpoints {
  /** Address that it sends samples to. */
  transmit: string;
  /** Address that it receives samples from. */
  receive: string;
}

/** A channel that runs. */
export interface ChannelReady {
  type: "channel_ready";
  /** Of the channel. */
  address: string;
  /** Endpoints of each radio. */
  radios: Array<RadioEndpoints>;
}

/** Counts of a channel until its end: of samples, unless they are of bursts. */
export interface ChannelStatistics {
  type: "channel_statistics";
  /** How much of samples it has passed. Unit: s. */
  seconds: number | null;
  /** Bursts of each radio. */
  bursts: Array<number>;
  /** Those that were lost. */
  lost_bursts: Array<number>;
  /** What a connected receiver did not take in time, for each radio. */
  overruns: Array<number>;
  /** How often a second listener was refused, for each radio. */
  turned_away: Array<number>;
  /** What was skipped because the channel was late. */
  late: number;
}

/** How many figures differ from the committed ones; the last line. */
export interface Check {
  type: "check";
  /** Results that were compared. */
  compared: number;
  /** Figures that differ. */
  differences: number;
  /** Of these, improvements. */
  better: number;
  /** What is wrong with committed results, in sentences. */
  cannot_be_true: Array<string>;
  /** Results of which none are committed. */
  not_committed: number;
  /** Results that were committed with another compiler, by both compilers. */
  other_compiler: Record<string, number>;
}

/** A published measurement, and what the energy model says of it. */
export interface CheckedMeasurement {
  type: "checked_measurement";
  /** Its id in `published/measured_energy.csv`. */
  row: number;
  /** What was measured. */
  device: string;
  /** Of which operation. */
  operation: string;
  /** Of the measurement and the model. */
  unit: string;
  /** As published. */
  measured: number | null;
  /** 10 % of draws are below. */
  low: number | null;
  /** 50 % of draws are below. */
  middle: number | null;
  /** 90 % of draws are below. */
  high: number | null;
  /** The median by the measurement. */
  ratio: number | null;
  /** Whether the range of the model holds it. */
  within: boolean | null;
  /** Whether a quantity of the model was fitted to it, so that it judges nothing. */
  fitted: boolean;
  /** The table of `checks.toml`; empty if there is none. */
  check: string;
  /** Why the model says nothing of it, or empty. */
  reason: string;
  /** How it was measured, as the source has it. */
  settings: string;
  /** Title and author. */
  source: string;
}

/** The best core beside the best device of a kind of processor, behind the costs. */
export interface ChipAnswer {
  type: "chip_answer";
  /** Core with the least energy. */
  core: string;
  /** Device with the least energy of its kind. */
  device: string;
  /** Energy of the device over that of the core. Unit: 1. */
  ratio: Figure;
  /** Time from message to message at which a core that stays powered costs as much; `null` if it does not leak. Unit: s. */
  break_even: Figure | null;
  /** What the host reaches the core through. */
  wrapper: string;
  /** Of this device, if it feeds the core. Unit: cycle. */
  host_cycles: Figure | null;
  /** `ratio` with the energy of these cycles beside that of the core. Unit: 1. */
  ratio_fed: Figure | null;
}

/** What sealing a message costs on a core or on a device; the least energy first. */
export interface ChipCost {
  type: "chip_cost";
  /** Core or device. */
  name: string;
  /** Library of the core, or build of the software. */
  where: string;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** Clock. Unit: Hz. */
  clock_hz: number | null;
  /** Cycles. */
  cycles: Figure;
  /** Time. Unit: s. */
  time: Figure;
  /** Energy of core or processor. Unit: J. */
  energy: Figure;
  /** Of a core: its area, if there is a result. Unit: GE. */
  area: Figure | null;
  /** Of a core: what the wrapper adds. Unit: GE. */
  wrapper_area: Figure | null;
  /** Of a core: what a host reaches it through, if it has that. */
  wrapper: string | null;
  /** Of a core: accesses to its registers of 32 bits. */
  accesses: number | null;
  /** Of a core: beats of both streams. */
  beats: number | null;
  /** Of a core: bytes through the serial port. */
  port_bytes: number | null;
  /** Of a core: cycles of a host of 32 bits that feeds it. */
  host_cycles: Figure | null;
}

/** A choice that keeps all limits; the best comes first. */
export interface ChoiceRecord {
  type: "choice";
  /** `link`, `payload` or `physical`. */
  layer: string;
  /** Slug of the suite. */
  suite: string;
  /** What the cipher is. */
  standing: "standard" | "finalist" | "research";
  /** Size of the tag. Unit: byte. */
  tag_bytes: number;
  /** Whether it encrypts. */
  encrypts: boolean;
  /** Whether others' software for the standard of the link opens it, or frames of another standard carry it. */
  interoperable: boolean;
  /** Options of `samara node init` that make it. */
  options: Record<string, unknown>;
  /** Implementation of the suite. */
  implementation: string;
  /** Optimisation, as `O2`. */
  opt: string;
  /** All frames of a message. Unit: byte. */
  air_bytes: number;
  /** Of a message, with listening and sleep until the next. Unit: J. */
  energy: Figure;
  /** What of it security takes. Unit: J. */
  security_energy: Figure;
  /** Life of the battery. */
  life: LifeOfChoice;
  /** Mean time of a hop. Unit: s. */
  latency: Figure;
  /** Flash. Unit: byte. */
  flash_bytes: number;
  /** RAM, stack included. Unit: byte. */
  ram_bytes: number;
  /** Chance that one forged frame is accepted in the years asked for, while forged frames fill the radio's time. */
  forgery: number | null;
  /** Forged frames that an attacker can send. Unit: 1/year. */
  forgeries_per_year: number | null;
}

/** A sentence of the paper, and what its own figures say instead. */
export interface Contradiction {
  type: "contradiction";
  /** What the paper claims. */
  claim: string;
  /** Where in the paper. */
  where: string;
  /** What it states there. */
  stated: string;
  /** What follows from its own figures. */
  found: string;
}

/** Something that was asked for by a line of --control was done. */
export interface ControlDone {
  type: "control_done";
  /** The action. */
  do: string;
  /** What was done, for people. */
  sentence: string;
}

/** A line of --control was refused; it has changed nothing. */
export interface ControlRefused {
  type: "control_refused";
  /** What is wrong with it, for people. */
  reason: string;
}

/** A conversation of this console, or of an earlier one. */
export interface ConversationListed {
  type: "conversation_listed";
  /** Its name. */
  name: string;
  /** The kind of link. */
  link: string;
  /** Whether its programs run; otherwise start it. */
  is_open: boolean;
  /** What was chosen, in words. */
  settings: string;
  /** The device of its receipts; empty: none. */
  device: string;
  /** What its link does not protect; empty: nothing. */
  warning: string;
  /** What somebody without a key has, in words. */
  eavesdropper: string;
  /** When it began, in s since 1970. Unit: s. */
  begun_s: number | null;
  /** The last message; empty: none. */
  last: string;
}

/** Something that a person who looks on should know. */
export interface ConversationNote {
  type: "conversation_note";
  /** What happened. */
  sentence: string;
  /** The end that it is about; empty: none in particular. */
  end: string;
  /** Whether something proves less than it seems to. */
  warns: boolean;
}

/** A node refused what it received. */
export interface ConversationRefusal {
  type: "conversation_refusal";
  /** The end of the link: `left` or `right`. */
  end: string;
  /** Kind of refusal (docs/nodes.md lists them). */
  kind: string;
  /** Why, for people. */
  sentence: string;
  /** The rule that it breaks, with its clause; empty: not known. */
  rule: string;
}

/** A core of the design in rtl/. */
export interface CoreDescription {
  type: "core";
  /** Name on the command line and in results. */
  name: string;
  /** The core in a few words. */
  title: string;
  /** Pre-output bits a clock. */
  n: number;
  /** How it is built. */
  variant: "plain" | "fast" | "low-power";
  /** Whether it seals and opens; otherwise it makes a keystream. */
  authenticates: boolean;
  /** Bits of message or of keystream while nothing stalls. */
  bits_a_clock: number | null;
  /** Values of the Verilog module's parameters. */
  parameters: Record<string, number>;
}

/** How reliably and how fast frame counters are found, at one value of Eb/N0. */
export interface CounterSearch {
  type: "counter_search";
  /** Modulation. */
  modulation: string;
  /** Channel code. */
  code: "none" | "conv" | "polar" | "tailbiting";
  /** Payload of a frame. Unit: byte. */
  payload_bytes: number;
  /** Eb/N0. Unit: dB. */
  ebn0_db: number | null;
  /** Number of frame counters that are tried. */
  window: number;
  /** Random seed. */
  seed: number;
  /** Of the intervals. */
  confidence: number | null;
  /** Number of frames. */
  frames: number;
  /** Number of frames whose counter was found. */
  found: number;
  /** Number of wrong counters that were found. */
  wrong: number;
  /** Number of frames that can be decoded if the counter is known. */
  decodable: number;
  /** Share of the frames whose counter was found. Unit: 1. */
  found_rate: Figure & { low: number | null; high: number | null; };
  /** Share of the frames that can be decoded. Unit: 1. */
  decodable_rate: Figure & { low: number | null; high: number | null; };
  /** Counters tried in windows that have the right one. Unit: 1/s. */
  candidates_per_second_present: Figure;
  /** Counters tried in windows that do not have it. Unit: 1/s. */
  candidates_per_second_absent: Figure;
}

/** The error of a radio's crystal, relative to the radio that sent. */
export interface CrystalError {
  type: "crystal_error";
  /** Bursts that were measured. */
  bursts: number;
  /** Carrier frequency offset, the median. Unit: Hz. */
  offset_hz: number | null;
  /** Error of the crystal: what --ppm is to be, the median. Unit: ppm. */
  ppm: number | null;
  /** Largest difference between two bursts. Unit: ppm. */
  spread_ppm: number | null;
}

/** The end of a demonstration. */
export interface DemoEnd {
  type: "demo";
  /** How long it took. Unit: s. */
  duration_s: number | null;
}

/** A simulated microcontroller. */
export interface DeviceDescription {
  type: "device";
  /** Name, as `--device` takes it. */
  name: string;
  /** What it is. */
  title: string;
  /** Other chips with its processor; `--device` takes their names, too. */
  chips: Array<string>;
  /** Boards that it stands for; `--device` takes their names, too. */
  boards: Array<string>;
  /** Name that its compiler knows it by. */
  mcu: string;
  /** Its kind of processor. */
  family: string;
  /** What some implementations need, such as an AES engine. */
  features: Array<string>;
  /** Clock. Unit: Hz. */
  clock_hz: number;
  /** Size of the flash memory. Unit: byte. */
  flash_bytes: number;
  /** First address of the RAM. */
  ram_start: number;
  /** Size of the RAM. Unit: byte. */
  ram_bytes: number;
  /** Supply voltage. Unit: V. */
  supply_voltage: Figure;
  /** Current while it computes. Unit: A. */
  active_current: Figure;
  /** Name of the simulator. */
  simulator: string;
  /** Whether the simulator's cycles are exact. */
  cycles: Origin;
  /** What the cycles leave out; may be empty. */
  cycles_note: string;
  /** Name of the compiler. */
  compiler: string;
  /** Options of the compiler. */
  flags: Array<string>;
}

/** The provisioning record of a device, in a file. */
export interface DeviceExported {
  type: "device_exported";
  /** The file with the record, which contains a key. */
  file: string;
  /** The kind of the link. */
  link: string;
  /** The C object that the firmware names as the suite's. */
  suite: string;
  /** Size of the record in bytes. */
  bytes: number;
}

/** A device on which receipts can be computed. */
export interface DeviceOffered {
  type: "device_offered";
  /** Its name. */
  device: string;
  /** What it is. */
  title: string;
}

/** A figure that differs from the committed one. */
export interface Difference {
  type: "difference";
  /** Name of the device. */
  device: string;
  /** Suite or block cipher. */
  suite: string;
  /** `portable` (C), or that of core/arch. */
  implementation: string;
  /** Optimisation of the compiler. */
  opt: string;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** Size of the associated data. Unit: byte. */
  ad_bytes: number;
  /** Its name, such as `code_bytes` or `cycles seal`. */
  figure: string;
  /** The figure in results/. */
  committed: unknown;
  /** The figure that was measured now. */
  found: unknown;
  /** Whether it is a number that is smaller now. */
  better: boolean;
}

/** Something that samara uses, and whether this machine has it. */
export interface DoctorPart {
  type: "doctor_part";
  /** Its name. */
  name: string;
  /** What it is. */
  kind: "machine" | "python-package" | "program";
  /** Whether it is there. */
  is_there: boolean;
  /** Whether every user needs it. */
  needed: boolean;
  /** Its version, or what was found; may be empty. */
  version: string;
  /** Its file or directory, there or not; empty if it is none. */
  path: string;
  /** Commands and links that use it. */
  serves: string;
  /** What to do where it is missing; else empty. */
  advice: string;
}

/** What one message takes at its sender. */
export interface EnergyMessage {
  type: "energy_message";
  /** What was asked for. */
  scenario: Record<string, unknown>;
  /** By part, which add up to the total. */
  parts: Record<string, Figure>;
  /** As data sheets state it. Unit: J. */
  total: Figure;
  /** 10 % of draws of the total are below. Unit: J. */
  low: Figure;
  /** 50 % of draws of the total are below. Unit: J. */
  median: Figure;
  /** 90 % of draws of the total are below. Unit: J. */
  high: Figure;
  /** Mean time of a hop: sealing, sending, opening. Unit: s. */
  latency: Figure;
  /** Quantities that it depends on and that were not read in their sources. */
  unchecked: Array<string>;
}

export interface ReceiverRates {
  /** Number of frames. */
  frames: number;
  /** Number of wrong frames. */
  frame_errors: number;
  /** Number of bits. */
  bits: number;
  /** Number of wrong bits. */
  bit_errors: number;
  /** Frame error rate. Unit: 1. */
  fer: Figure & { low: number | null; high: number | null; };
  /** Bit error rate. Unit: 1. */
  ber: Figure & { low: number | null; high: number | null; };
}

/** Error rates of all receivers at one value of Eb/N0. */
export interface ErrorRates {
  type: "error_rates";
  /** Modulation. */
  modulation: string;
  /** Channel code. */
  code: "none" | "conv" | "polar" | "tailbiting";
  /** Fading of the channel. */
  fading: "none" | "rayleigh";
  /** Payload of a frame. Unit: byte. */
  payload_bytes: number;
  /** Eb/N0. Unit: dB. */
  ebn0_db: number | null;
  /** Options of the channel that bursts went through; null without bursts. */
  impairments: Record<string, string> | null;
  /** Random seed. */
  seed: number;
  /** Of the intervals. */
  confidence: number | null;
  /** Frame error rate in theory, or a bound. Unit: 1. */
  theory_fer: Figure | null;
  /** Bit error rate in theory, or a bound. Unit: 1. */
  theory_ber: Figure | null;
  /** Frame error rate of the best code of this length, by the normal approximation; null with fading, bursts or another modulation than BPSK and QPSK. Unit: 1. */
  least_fer: Figure | null;
  /** Frame error rate with encryption minus the one without. Unit: 1. */
  encryption_cost_fer: Figure & { low: number | null; high: number | null; };
  /** What each receiver got wrong. */
  receivers: Record<string, ReceiverRates>;
}

/** What an estimator of information finds on a channel where it is known. */
export interface EstimatorBias {
  type: "estimator_bias";
  /** What is sent: the noise is Gaussian. */
  channel: string;
  /** Estimator: `Kraskov` or `Ross`. */
  estimator: string;
  /** Information in theory. Unit: bit. */
  truth: Figure;
  /** Mean estimate, with its interval. Unit: bit. */
  estimate: Figure & { low: number | null; high: number | null; };
  /** Estimate minus truth. Unit: bit. */
  bias: Figure;
  /** Symbols in all. */
  samples: number;
}

export interface CallRecord {
  /** What the bench measures it as. */
  suite: string;
  /** seal or open. */
  verb: string;
  /** What the call is given as message. Unit: byte. */
  message_bytes: number;
  /** What it is given to be authenticated only. Unit: byte. */
  ad_bytes: number;
  /** How many calls are alike. */
  count: number;
}

export interface UnitRecord {
  /** Bytes handed to the radio. Unit: byte. */
  bytes: number;
  /** What security adds of them: header, counter, tag. Unit: byte. */
  security_bytes: number;
  /** What secures or verifies it; null: nothing does. */
  call: CallRecord | null;
  /** How many units are alike. */
  count: number;
}

export interface ReceiptRecord {
  /** The kind of link. */
  link: string;
  /** sent or received: which end gives it. */
  direction: string;
  /** The framing, or the security level. */
  protection: string;
  /** What seals; null where nothing does. */
  suite: string | null;
  /** Bytes by part, to an eighth: all of samara.link.node.receipt.PARTS. */
  parts: Record<string, number | null>;
  /** Bytes handed to the radio that sends the message. Unit: byte. */
  link_bytes: number | null;
  /** The sum of all parts. Unit: byte. */
  air_bytes: number | null;
  /** Packets or frames that carry the message. */
  packets: number;
  /** Into how many payloads it is cut. */
  payloads: number;
  /** What the suite encrypts, of the message's frames. Unit: byte. */
  encrypted_bytes: number;
  /** What it authenticates there. Unit: byte. */
  authenticated_bytes: number;
  /** What the suite has to do at this end. */
  calls: Array<CallRecord>;
  /** What carries the payloads. */
  units: Array<UnitRecord>;
  /** Bytes handed to the radio for each byte of the message. */
  expansion: number | null;
  /** The microcontroller of the costs. */
  device: string | null;
  /** The transceiver of the costs. */
  radio: string | null;
  /** By name, in the order of samara.link.node.receipt.FIGURES. */
  figures: Record<string, Figure>;
  /** Sentences: what is assumed, and what is not known. */
  remarks: Array<string>;
}

/** A message of a demonstration. */
export interface ExchangeRecord {
  type: "exchange";
  /** The kind of link. */
  link: string;
  /** A framing, or a security level. */
  case: string;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** Whether it arrived, unchanged. */
  crossed: boolean;
  /** How often it was sent until it crossed, the last time. */
  attempts: number;
  /** How many runs what the clock says is the median of. */
  runs: number;
  /** What could be heard, in hex. */
  air: string;
  /** Receipt of the sender. */
  sent: ReceiptRecord;
  /** Receipt of the receiver. */
  received: ReceiptRecord | null;
}

/** A choice that does not keep all limits. */
export interface ExcludedChoice {
  type: "excluded_choice";
  /** `link`, `payload` or `physical`. */
  layer: string;
  /** Slug of the suite. */
  suite: string;
  /** What the cipher is. */
  standing: "standard" | "finalist" | "research";
  /** Size of the tag. Unit: byte. */
  tag_bytes: number;
  /** Whether it encrypts. */
  encrypts: boolean;
  /** Whether others' software for the standard of the link opens it, or frames of another standard carry it. */
  interoperable: boolean;
  /** Options of `samara node init` that make it. */
  options: Record<string, unknown>;
  /** Implementation of the suite. */
  implementation: string;
  /** Optimisation, as `O2`. */
  opt: string;
  /** All frames of a message. Unit: byte. */
  air_bytes: number;
  /** Of a message, with listening and sleep until the next. Unit: J. */
  energy: Figure;
  /** What of it security takes. Unit: J. */
  security_energy: Figure;
  /** Life of the battery. */
  life: LifeOfChoice;
  /** Mean time of a hop. Unit: s. */
  latency: Figure;
  /** Flash. Unit: byte. */
  flash_bytes: number;
  /** RAM, stack included. Unit: byte. */
  ram_bytes: number;
  /** Chance that one forged frame is accepted in the years asked for, while forged frames fill the radio's time. */
  forgery: number | null;
  /** Forged frames that an attacker can send. Unit: 1/year. */
  forgeries_per_year: number | null;
  /** The limits that it breaks. */
  broken: Array<BrokenLimit>;
}

/** What the image of a project takes of its device, and each of its messages. */
export interface FirmwareCost {
  type: "firmware_cost";
  /** Name of the project. */
  project: string;
  /** The device. */
  device: string;
  /** Suite that seals messages. */
  suite: string;
  /** The image, with a key of its own. */
  image: string;
  /** Code, constants, initial values of variables. */
  flash: Figure;
  /** Variables. */
  ram: Figure;
  /** The most bytes of stack. */
  stack: Figure;
  /** RAM of the device without the two. */
  ram_left: Figure;
  /** How many messages the means below are of. */
  messages: number;
  /** Cycles of a message: the processor computes, and nothing is sent. */
  computing: Figure;
  /** The same at the clock of the device. */
  computing_time: Figure;
  /** Time in which UART, or radio, send a message. */
  sending_time: Figure;
  /** Time of a message that waits for the memory of counters. */
  memory_time: Figure;
  /** Bytes of a message to the UART or the radio. */
  uart_bytes: Figure;
  /** Bytes of a message that are written to the memory of counters. */
  memory_bytes: Figure;
  /** Of a message, for these three times; without sleep and radio. */
  energy: Figure;
  /** Most cycles in which the image keeps interrupts out, by its machine code; none where they are not counted, as with a branch among them. */
  interrupts_off: Figure | null;
}

/** A project of firmware that was made. */
export interface FirmwareMade {
  type: "firmware_made";
  /** Its directory. */
  project: string;
  /** Device of the board. */
  device: string;
  /** Kind of link. */
  link: string;
  /** Suite that seals messages. */
  suite: string;
  /** What builds it. */
  build: string;
  /** The node at the other end of the link; none where that is a board. */
  node: string | null;
  /** Files that were written, by place in the directory. */
  files: Array<string>;
}

/** A message of a device that runs in a simulator, as the other end received it. */
export interface FirmwareMessage {
  type: "firmware_message";
  /** Its bytes as UTF-8; others are escaped. */
  text: string;
  /** Its size. Unit: byte. */
  bytes: number;
  /** Number of messages since the start of the command. */
  number: number;
}

/** What a device took while its firmware ran; its radio is not in it. */
export interface FirmwareReceipt {
  type: "firmware_receipt";
  /** Name of its project. */
  project: string;
  /** The device. */
  device: string;
  /** Whether the end, a power cut, was within a write to the memory. */
  torn: boolean;
  /** Messages that the node, or board, at the other end received. */
  messages: number;
  /** Messages that it missed; none where a board receives. */
  lost: number | null;
  /** Bytes of its UART to the modem or display, or to the radio of its chip. */
  uart_bytes: Figure;
  /** Bytes written to the EEPROM, or flash memory, of counters. */
  eeprom_bytes: Figure;
  /** All of the run, by the clock of the device. */
  time: Figure;
  /** Computing, or waiting for the UART. */
  active_time: Figure;
  /** Waiting for writes to that memory. */
  eeprom_time: Figure;
  /** Asleep while the clock runs. */
  idle_time: Figure;
  /** Asleep while the clock stands. */
  asleep_time: Figure;
  /** Longest time in which an interrupt had to wait. */
  interrupts_off: Figure;
  /** Of `active_time`. */
  active_energy: Figure;
  /** Of `eeprom_time`. */
  eeprom_energy: Figure;
  /** Of `idle_time`. */
  idle_energy: Figure;
  /** Of `asleep_time`. */
  asleep_energy: Figure;
  /** Their sum. */
  energy: Figure;
}

/** What the image of a project takes of its device. */
export interface FirmwareSize {
  type: "firmware_size";
  /** The image. */
  image: string;
  /** Code, constants, initial values of variables. */
  flash: Figure;
  /** Variables, without the stack. */
  ram: Figure;
  /** Flash of the device. Unit: byte. */
  flash_room: number;
  /** RAM of the device. Unit: byte. */
  ram_room: number;
}

/** A message that a suite sealed and opened, and a forgery of it. */
export interface Forgery {
  type: "forgery";
  /** Slug of the suite. */
  suite: string;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** What sealing added to it. Unit: byte. */
  added_bytes: number;
  /** Whether opening gave the message. */
  opened: boolean;
  /** What became of the sealed message with one bit changed. */
  forgery: "refused" | "accepted" | "not noticed";
}

/** A neighbour that was removed. */
export interface Forgotten {
  type: "forgotten";
  /** Directory of the node that has removed it. */
  node: string;
  /** Of the neighbour. */
  name: string;
  /** Texts: what is left to be done. */
  left_to_do: Array<string>;
}

export interface FrameControl {
  /** Type of the frame. */
  type: string;
  /** Whether the frame is secured. */
  security: boolean;
  /** Whether more frames follow. */
  pending: boolean;
  /** Whether an acknowledgement is asked for. */
  ack_request: boolean;
  /** Whether a PAN is left out. */
  pan_compression: boolean;
  /** Whether the sequence number is left out. */
  sequence_suppressed: boolean;
  /** Whether there are information elements. */
  header_ies: boolean;
  /** Year of the version of the standard. */
  version: number;
}

export interface FrameAddress {
  /** PAN. */
  pan: string | null;
  /** Short address. */
  short: string | null;
  /** Extended address (EUI-64). */
  extended: string | null;
}

export interface FrameSecurity {
  /** Security level. */
  level: number;
  /** Key identifier mode. */
  key_id_mode: number;
  /** Key source. */
  key_source: string | null;
  /** Key index. */
  key_index: number | null;
  /** Frame counter; `null` if it is suppressed. */
  frame_counter: number | null;
  /** Whether the nonce contains the absolute slot number. */
  asn_in_nonce: boolean;
}

export interface FrameElement {
  /** Its number. */
  id: number;
  /** Its content. */
  content: string;
}

/** The fields of a frame of IEEE 802.15.4. */
export interface FrameRecord {
  type: "frame";
  /** Frame control. */
  frame_control: FrameControl;
  /** Sequence number. */
  sequence: number | null;
  /** Destination. */
  destination: FrameAddress;
  /** Source. */
  source: FrameAddress;
  /** Auxiliary security header. */
  security?: FrameSecurity;
  /** Information elements of the header. */
  header_ies?: Array<FrameElement>;
  /** Part of the payload that is never encrypted. */
  open_payload?: string;
  /** Information elements of the payload. */
  payload_ies?: Array<FrameElement>;
  /** Payload, while it is encrypted. */
  encrypted?: string;
  /** Payload, in clear. */
  payload?: string;
  /** Message integrity code (MIC). */
  mic?: string;
}

export interface FramePart {
  /** What they are: `header`, `security header`, `payload`, `encrypted`, `tag` or `check`. */
  purpose: string;
  /** The first of them. Unit: byte. */
  start: number;
  /** How many. Unit: byte. */
  size: number;
}

export interface FrameField {
  /** Its name. */
  name: string;
  /** Its content, as text. */
  value: string;
  /** Its first byte. Unit: byte. */
  start: number;
  /** Its size. Unit: byte. */
  size: number;
  /** Clause of the standard; empty where it has none. */
  clause: string;
  /** 0 of a field, 1 of its parts, 2 of theirs. */
  depth: number;
}

/** Something was on the air. */
export interface FrameHeard {
  type: "frame_heard";
  /** `left`, `right` or `attacker`; empty: not known. */
  sender: string;
  /** What it is, in a few words, such as `data`. */
  kind: string;
  /** All bytes on the air. */
  data: string;
  /** What its bytes are for. */
  parts: Array<FramePart>;
  /** Its fields, each before its parts; none if unreadable. */
  fields: Array<FrameField>;
  /** What became of it on the air, if not all of it arrived. */
  fate: string;
}

/** A message of which only some parts arrived. */
export interface Incomplete {
  type: "incomplete";
  /** How many parts did not arrive. */
  missing: number;
  /** The neighbour that sent it; null on a link of two ends. */
  source: string | null;
}

/** What an answer is while one quantity is at its 10 and 90 % quantile. */
export interface Influence {
  type: "influence";
  /** Its name. */
  quantity: string;
  /** The answer at its 10 %. */
  at_low: number | null;
  /** The answer at its 90 %. */
  at_high: number | null;
  /** How far the answer moves. */
  swing: number | null;
  /** Whether it was read in its source. */
  checked: boolean;
  /** Of the answer. */
  unit: string;
}

/** A network interface that is up, once. */
export interface InterfaceUp {
  type: "interface";
  /** Directory of its node. */
  node: string;
  /** Its name; null: there is none, with --userspace. */
  interface: string | null;
  /** Its IPv6 address. */
  address: string;
  /** Addresses of neighbours. */
  neighbours: Array<string>;
  /** The process that has it. */
  pid: number;
  /** What runs a program in its namespace; empty in that of the command. */
  enter: string;
}

/** What crossed the link of an interface until its end. */
export interface InterfaceStatistics {
  type: "interface_statistics";
  /** IPv6 packets that were sent. */
  packets_sent: number;
  /** Those that were received. */
  packets_received: number;
  /** Payloads that carried what was sent. */
  payloads_sent: number;
  /** Those that were received. */
  payloads_received: number;
  /** Those that were lost on the way here. */
  payloads_lost: number;
  /** Packets that were not carried, by the reason. */
  dropped: Record<string, number>;
  /** Payloads that belong to no packet, by the reason. */
  refused: Record<string, number>;
}

/** A function of the library, or of C's, that switches interrupts off. */
export interface InterruptsOff {
  type: "interrupts_off";
  /** Name of the device. */
  device: string;
  /** `portable` (C), or that of core/arch. */
  implementation: string;
  /** Optimisation of the compiler. */
  opt: string;
  /** The function; none where no function switches them off. */
  function: string | null;
  /** Longest time in it without interrupts; 0 where no function switches them off; none where it is not counted for this processor. */
  cycles: Figure | null;
  /** The same at the clock of the device. */
  time: Figure | null;
}

/** An invitation that was made. */
export interface Invitation {
  type: "invitation";
  /** Directory of the node that invites. */
  node: string;
  /** Of the newcomer. */
  name: string;
  /** File with the invitation. */
  output: string | null;
  /** When it ends, in s since 1970. Unit: s. */
  ends_s: number;
  /** With --edhoc only: the code that `node join` has to print, too. */
  code?: string;
  /** With --text only: the invitation, **which is a secret**. */
  text?: string;
}

/** An invitation that is not accepted any more. */
export interface InvitationCancelled {
  type: "invitation_cancelled";
  /** Directory of the node that had invited. */
  node: string;
  /** Of the newcomer. */
  name: string;
}

/** A node that was made from an invitation. */
export interface Joined {
  type: "joined";
  /** Its directory. */
  node: string;
  /** Its own. */
  name: string;
  /** The kind of its link. */
  link: string;
  /** If it joins by EDHOC: the code that `node invite` has printed, too. */
  code?: string;
}

/** The keys of a conversation, which were asked for. */
export interface KeyShown {
  type: "key_shown";
  /** Each with its name, as hex digits. */
  keys: Array<string>;
}

/** A node of a lab that runs. */
export interface LabNode {
  type: "lab_node";
  /** Its name. */
  node: string;
  /** Its directory. */
  directory: string;
  /** Address of the medium, if there is one. */
  medium: string | null;
  /** Its IPv6 address. */
  address: string;
  /** Names of neighbours. */
  neighbours: Array<string>;
  /** Its process. */
  pid: number;
  /** What runs a program in its namespace. */
  enter: string;
}

/** The laboratory of a console. */
export interface LaboratoryShown {
  type: "laboratory_shown";
  /** Whether its programs run. */
  is_running: boolean;
  /** Why none can run here, a sentence; empty: it can. */
  missing: string;
  /** Who can be whose neighbour. */
  topologies: Array<string>;
  /** The most nodes of one. */
  nodes_max: number;
}

/** How long a battery lasts if a message is sent at an interval. */
export interface LifeAtInterval {
  type: "life_at_interval";
  /** From one message to the next. Unit: s. */
  interval_s: number | null;
  /** Life of the battery. */
  life: Years;
  /** What security takes of the life without it, in the median. Unit: 1. */
  security_share: Figure;
}

export interface OptionOffered {
  /** Its name. */
  name: string;
  /** What it is. */
  help: string;
  /** Type of its values: `text`, `number` or `whole`. */
  kind: string;
  /** The values, as text; none: any that is accepted. */
  values: Array<string>;
  /** Of a number: the lowest; null: no such. */
  lowest: number | null;
  /** Of a number: the highest; null: no such. */
  highest: number | null;
  /** Its default, as text; empty: none. */
  default: string;
}

/** A kind of link, with the options that a conversation over it can have. */
export interface LinkOffered {
  type: "link_offered";
  /** Its name. */
  link: string;
  /** What it is, in a sentence. */
  title: string;
  /** What can be chosen. */
  options: Array<OptionOffered>;
}

/** Transmissions that did not arrive: as many messages, if each was one. */
export interface Lost {
  type: "lost";
  /** How many. */
  transmissions: number;
  /** The neighbour that sent them; null on a link of two ends. */
  source: string | null;
}

/** What two modules do to bytes that are sent from one port to the other. */
export interface MeasuredModule {
  type: "measured_module";
  /** Bytes of a packet. Unit: byte. */
  packet: Figure;
  /** Bytes that arrive whole when written at once. */
  buffer: Figure;
  /** Silence between packets. Unit: s. */
  gap: Figure;
  /** From writing a packet to its arrival. Unit: s. */
  latency: Figure;
  /** Bytes that arrive in a long stream. Unit: bit/s. */
  rate: Figure;
  /** Share of packets that were lost. */
  loss: number | null;
  /** Whether the sending port repeats what is written. */
  echoes: boolean;
}

export interface LinkCounts {
  /** Address of the sender. */
  sender: string;
  /** Address of the receiver. */
  receiver: string;
  /** Frames that arrived. */
  delivered: number;
  /** Frames that were lost. */
  lost: number;
  /** Frames that collided at the receiver. */
  collided: number;
}

/** What a medium has seen from its start to its end. */
export interface MediumStatistics {
  type: "medium";
  /** Frames that nodes have sent. */
  frames: number;
  /** Their bytes, with check sequences. Unit: byte. */
  frame_bytes: number;
  /** Frames whose check sequence is wrong; they are passed on. */
  wrong_fcs: number;
  /** Packets of ZEP that acknowledge others. */
  zep_acks: number;
  /** Packets by which nodes say that they are there. */
  hellos: number;
  /** Datagrams that are not ZEP version 2. */
  malformed: number;
  /** Packets that were handed to a receiver. */
  deliveries: number;
  /** Deliveries that were lost. */
  lost: number;
  /** Deliveries that came twice. */
  duplicated: number;
  /** Deliveries and frames for which there was no room. */
  overflowed: number;
  /** Deliveries that were lost in collisions. */
  collided: number;
  /** Frames that were given up because the channel was always busy. */
  access_failures: number;
  /** Deliveries for which the topology has no link. */
  out_of_reach: number;
  /** Deliveries that were held back. */
  reordered: number;
  /** Nodes that are there. */
  nodes: number;
  /** What became of the frames of each link. */
  links: Array<LinkCounts>;
}

/** Receivers missed frames, or got them out of order, since the last such line. */
export interface MediumMissed {
  type: "medium_missed";
  /** Frames that a receiver missed. */
  lost: number;
  /** Frames that were held back. */
  reordered: number;
}

/** A node handed a message on. */
export interface MessageArrived {
  type: "message_arrived";
  /** The end of the link: `left` or `right`. */
  end: string;
  /** The message, control characters shown as codes. */
  text: string;
  /** Whether it may have been handed on before. */
  is_repeated: boolean;
  /** What it cost the receiver. */
  receipt: Record<string, unknown> | null;
}

/** What a message costs its sender with one suite at one layer. */
export interface MessageCost {
  type: "message_cost";
  /** The kind of link. */
  link: string;
  /** `link`, `payload` or `physical`; `none`: no security. */
  layer: string;
  /** What secures it. */
  suite: string | null;
  /** Of the suite: what is known of it. */
  standing: "standard" | "finalist" | "research" | null;
  /** Size of the tag. Unit: byte. */
  tag_bytes: number;
  /** Whether it encrypts the message. */
  encrypts: boolean;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** Options of a node that sends it so, by name. */
  options: Record<string, unknown>;
  /** Bytes by part, as in a receipt. */
  parts: Record<string, number | null>;
  /** All bytes on the air. Unit: byte. */
  air_bytes: Figure;
  /** Time on the air. Unit: s. */
  air_time: Figure | null;
  /** Time of the cipher. Unit: s. */
  crypto_time: Figure | null;
  /** Energy of the cipher. Unit: J. */
  crypto_energy: Figure | null;
  /** Energy of the radio. Unit: J. */
  radio_energy: Figure | null;
  /** Cipher and radio. Unit: J. */
  energy: Figure | null;
}

/** What became of a message that a node had to send. */
export interface MessageSent {
  type: "message_sent";
  /** The number of the message. */
  message: number;
  /** The end of the link: `left` or `right`. */
  end: string;
  /** Whether it was acknowledged; null: that was not asked for. */
  delivered: boolean | null;
  /** What happened, for people. */
  sentence: string;
  /** What it cost, on the device of the conversation; null: not sent. */
  receipt: Record<string, unknown> | null;
}

/** A message was handed to a node. */
export interface MessageSpoken {
  type: "message_spoken";
  /** Counts the messages of a conversation. */
  message: number;
  /** The end of the link: `left` or `right`. */
  end: string;
  /** The message. */
  text: string;
}

/** What a report lacks. */
export interface MissingMeasurement {
  type: "missing";
  /** What is not measured yet. */
  what: string;
  /** The command that measures it. */
  command: string;
}

/** Two modems that run. */
export interface ModemsReady {
  type: "modem";
  /** Paths of the two ports. */
  ports: Array<string>;
  /** Baud rate of the ports. */
  baud: number;
  /** Of both modems. Unit: byte. */
  packet_size: number;
  /** How long a packet that is not full waits for more bytes. Unit: s. */
  timeout_s: number | null;
  /** Bit rate on the air. Unit: bit/s. */
  air_rate: number | null;
  /** What the radio sends around the bytes of a packet. Unit: byte. */
  packet_overhead: number;
}

/** A packet was on the air between the modems. */
export interface ModemPacket {
  type: "modem_packet";
  /** The modem that sent it: `a` or `b`. */
  sender: string;
  /** Its bytes, without those the radio adds. */
  data: string;
  /** `arrived`, `damaged`, `lost` or `not heard`. */
  fate: string;
}

export interface ModemCounts {
  /** From its serial line, commands included. */
  bytes_in: number;
  /** To its serial line, answers included. */
  bytes_out: number;
  /** Packets that it has sent. */
  packets_sent: number;
  /** Of these, those that waited for the time-out. */
  packets_not_full: number;
  /** How long it was sending. Unit: s. */
  air_s: number | null;
  /** Packets that it has received. */
  packets_received: number;
  /** Packets to it that were lost on the air. */
  lost: number;
  /** Packets to it with wrong bits. */
  damaged: number;
  /** Packets to it of more bytes than its own packet size. */
  too_long: number;
  /** Packets to it that its settings, or command mode, kept it from hearing. */
  not_heard: number;
}

/** What two modems did until their end. */
export interface ModemStatistics {
  type: "modem_statistics";
  /** The first modem. */
  a: ModemCounts;
  /** The second modem. */
  b: ModemCounts;
  /** Bytes that a program had not read when there was no more room. */
  overruns: number;
}

/** What is known of a serial module: one figure. */
export interface ModuleFigure {
  type: "module_figure";
  /** What it is. */
  name: string;
  /** The figure. */
  figure: Figure;
  /** Its unit. */
  unit: string;
  /** Where it was read. */
  source: string;
  /** What it means. */
  meaning: string;
}

/** A setting of a module that is set up. */
export interface ModuleSetting {
  type: "module_setting";
  /** Its name, as --set takes it. */
  name: string;
  /** Its value. */
  value: number;
  /** Its value unless another is given. */
  default: number;
  /** The least. */
  low: number;
  /** The most. */
  high: number;
  /** What it means. */
  meaning: string;
}

/** What is written to a module that is set up, and what it answers. */
export interface ModuleStep {
  type: "module_step";
  /** What is written. */
  send: string;
  /** What the answer has to contain; empty: it is not awaited. */
  expected: string;
  /** What it answered; null with --dry-run: nothing was sent. */
  answer: string | null;
}

/** One network; what does not work has no life. */
export interface NetworkLife {
  type: "network_life";
  /** Number of nodes besides the sink. */
  nodes: number;
  /** From one message of a node to its next. */
  interval_s: number | null;
  /** The life as data sheets state all quantities. */
  life_days: number | null;
  /** 10 % of draws are below. */
  life_days_10: number | null;
  /** 50 % of draws are below. */
  life_days_50: number | null;
  /** 90 % of draws are below. */
  life_days_90: number | null;
  /** Share of the life that security takes, as stated. */
  taken: number | null;
  /** 10 % of draws are below. */
  taken_10: number | null;
  /** 50 % of draws are below. */
  taken_50: number | null;
  /** 90 % of draws are below. */
  taken_90: number | null;
  /** Whether it works: `works`, `doubtful`, `illegal`, `saturated`. */
  region: string;
  /** Share of draws that do not work. */
  fails: number | null;
  /** Share of all messages that the node sends whose battery is empty first. */
  bottleneck_share: number | null;
}

/** One run. */
export interface NetworkSimulation {
  type: "network_simulation";
  /** Of the run. */
  seed: number;
  /** Share of saturation; at most this where `capacity` is `null`. */
  load: number | null;
  /** The load at which queues grow, as a share of the bound by the medium or a schedule. */
  capacity: number | null;
  /** Whether it works: `works`, `doubtful`, `illegal`, `saturated`. */
  region: string;
  /** The node that draws the most. */
  bottleneck: number;
  /** Share of all messages that it sends. */
  bottleneck_share: number | null;
  /** Its power by the closed form. */
  closed_form_power_uw: number | null;
  /** Its power by events. */
  events_power_uw: number | null;
  /** Life of the network by the closed form. */
  closed_form_life_days: number | null;
  /** Life of the network by events. */
  events_life_days: number | null;
  /** Messages that nodes made. */
  made: number;
  /** Of these, delivered. */
  delivered: number;
  /** Of these, lost. */
  lost: number;
  /** Of these, still in queues. */
  waiting: number;
  /** Of these, lost on the air: nobody listens before sending. */
  collided: number;
  /** Of these, lost over links: nobody acknowledges messages. */
  lost_on_links: number;
  /** Share of messages that collide, by the closed form. */
  closed_form_collided: number | null;
  /** Mean from making a message to its delivery. */
  latency_s: number | null;
  /** Number of events. */
  events: number;
  /** `both`, `events`, `closed form`, or `neither`: then both lives are `null`. */
  believe: string;
}

/** All runs. */
export interface NetworkSimulationRange {
  type: "network_simulation_range";
  /** Their number. */
  runs: number;
  /** Share of saturation, the median. */
  load: number | null;
  /** As of a run. */
  capacity: number | null;
  /** The worst of a run. */
  region: string;
  /** The node that draws the most in the mean. */
  bottleneck: number;
  /** Share of all messages that it sends. */
  bottleneck_share: number | null;
  /** 10 % of the runs are below. */
  closed_form_power_uw_10: number | null;
  /** 50 % of the runs are below. */
  closed_form_power_uw_50: number | null;
  /** 90 % of the runs are below. */
  closed_form_power_uw_90: number | null;
  /** 10 % of the runs are below. */
  events_power_uw_10: number | null;
  /** 50 % of the runs are below. */
  events_power_uw_50: number | null;
  /** 90 % of the runs are below. */
  events_power_uw_90: number | null;
  /** 10 % of the runs are below. */
  closed_form_life_days_10: number | null;
  /** 50 % of the runs are below. */
  closed_form_life_days_50: number | null;
  /** 90 % of the runs are below. */
  closed_form_life_days_90: number | null;
  /** 10 % of the runs are below. */
  events_life_days_10: number | null;
  /** 50 % of the runs are below. */
  events_life_days_50: number | null;
  /** 90 % of the runs are below. */
  events_life_days_90: number | null;
  /** Messages that nodes made in all runs. */
  made: number;
  /** Of these, delivered. */
  delivered: number;
  /** Of these, lost. */
  lost: number;
  /** Of these, still in queues. */
  waiting: number;
  /** Of these, lost on the air: nobody listens before sending. */
  collided: number;
  /** Of these, lost over links: nobody acknowledges messages. */
  lost_on_links: number;
  /** Share of messages that collide, by the closed form. */
  closed_form_collided: number | null;
  /** Mean from making a message to its delivery. */
  latency_s: number | null;
  /** Number of events. */
  events: number;
  /** As of a run. */
  believe: string;
}

/** The whole time. */
export interface NetworkTimeline {
  type: "network_timeline";
  /** Of the run. */
  seed: number;
  /** How long it is. Unit: h. */
  hours: number | null;
  /** Messages that nodes made. */
  made: number;
  /** Of these, delivered. */
  delivered: number;
  /** Messages lost; routing's too. */
  lost: number;
  /** Messages in queues at the end. */
  waiting: number;
  /** Mean from making a message to its delivery. Unit: s. */
  latency_s: number | null;
  /** The node that draws the most. */
  busiest: number;
  /** End of the window in which the first battery is empty; null: in none. Unit: h. */
  first_empty_h: number | null;
}

/** A node of the network. */
export interface NetworkTimelineNode {
  type: "network_timeline_node";
  /** Its number, from 1; 0 is the sink. */
  node: number;
  /** The node that it sends to. */
  parent: number;
  /** From it to the sink. */
  hops: number;
  /** Who hears it, and whom it hears; the sink among them. */
  neighbours: Array<number>;
  /** Share of its frames that arrive at the parent. Unit: 1. */
  delivery: number | null;
  /** What its battery gives at the mean power of the closed form, without self-discharge. Unit: J. */
  battery_j: number | null;
}

export interface NetworkTimelineHop {
  /** When it ended. Unit: h. */
  ended_h: number | null;
  /** Who sent it; 0 is the sink. */
  sender: number;
  /** Who it was for; null: for all around. */
  receiver: number | null;
  /** `data`, or of routing: `dio`, `dao`. */
  frame: string;
  /** `lost`; `arrived`, but its acknowledgement was lost; `acknowledged`; or `broadcast`. */
  fate: string;
}

/** What happens in a window of time. Lists have a value for each node from 1 on. */
export interface NetworkTimelineStep {
  type: "network_timeline_step";
  /** When it begins. Unit: h. */
  start_h: number | null;
  /** When it ends. Unit: h. */
  end_h: number | null;
  /** Messages that nodes made. */
  made: number;
  /** Messages that reached the sink. */
  delivered: number;
  /** Messages that found no room in a queue; routing's too. */
  lost: number;
  /** Messages in queues at its end. */
  waiting: number;
  /** Mean from making a message to its delivery; null: none was delivered. Unit: s. */
  latency_s: number | null;
  /** The node that draws the most in it. */
  busiest: number;
  /** Its mean power. Unit: µW. */
  busiest_power_uw: number | null;
  /** The lowest of `left`. Unit: 1. */
  lowest_left: number | null;
  /** Frames that it sent, repetitions and routing's too. */
  sent: Array<number>;
  /** Of these, sent again since they were not acknowledged. */
  repeated: Array<number>;
  /** Frames that it received for itself. */
  received: Array<number>;
  /** Frames for others that it heard. */
  overheard: Array<number>;
  /** What it took from its battery. */
  energies_j: Array<number | null>;
  /** Share of its battery that is left at the end of the window. */
  left: Array<number | null>;
  /** The first transmissions in it, as many as `--hops` asks for. */
  hops: Array<NetworkTimelineHop>;
}

export interface LastRefusal {
  /** A value of samara.link.node.events.Alarm. */
  kind: string;
  /** Why, in words. */
  reason: string;
  /** How many of this kind it stands for. */
  count: number;
  /** When, in s since 1970. Unit: s. */
  time_s: number | null;
}

export interface SecurityStatus {
  /** How many, by kind. */
  counts: Record<string, number>;
  /** The last three of each kind that were told, by time. */
  last: Array<LastRefusal>;
}

export interface ServiceStatus {
  /** Its number. */
  pid: number;
  /** Programs that want what it receives. */
  listeners: number;
  /** Messages to be sent. */
  waiting: number;
  /** Messages that nobody has taken yet. */
  undelivered: number;
  /** What it has refused since its start. */
  security: SecurityStatus;
}

/** What is known of a node. */
export interface NodeStatus {
  type: "node";
  /** Its directory. */
  node: string;
  /** The kind of its link. */
  link: string;
  /** Whether a process uses it. */
  in_use: boolean;
  /** The process that keeps it up, if there is one. */
  service: ServiceStatus | null;
  /** Messages that nobody has taken yet. */
  kept: number;
  /** Why no process can use it, such as a restored backup. */
  refused: string | null;
  /** What users of its link must know. */
  warning: string | null;
  /** Of its link, by name. */
  settings: Record<string, unknown>;
  /** How many of each event, so far. */
  totals: Record<string, number>;
  /** Next values of its counters. */
  counters: Record<string, number>;
  /** By name: addresses, key (its generation), state (settled, changing keys, joining, or introduced until it was heard). */
  neighbours: Record<string, Record<string, unknown>>;
  /** Newcomers who have not joined: when that ends, in s since 1970. */
  invitations: Record<string, number | null>;
}

/** A node that was made. */
export interface NodeMade {
  type: "node_made";
  /** Its directory. */
  node: string;
  /** The kind of its link. */
  link: string;
  /** File with the keys of the other end, if that is to be made next. */
  pair: string | null;
}

/** A directory of a node that the command named. */
export interface NodeShown {
  type: "node_shown";
  /** Its place among these, from 0. */
  number: number;
  /** The directory. */
  node: string;
  /** What is known of the node; no key is in it. */
  status: NodeStatus | null;
  /** Why nothing is known; empty: it is. */
  reason: string;
  /** Whether this console has started the process that keeps it up. */
  is_ours: boolean;
  /** Last lines of the process, if one of ours has ended. */
  last_words: Array<string>;
}

/** Something was done with a node of the laboratory. */
export interface NodeSteered {
  type: "node_steered";
  /** What: `kill`, `start`, `move_away` or `move_back` (docs/control.md). */
  do: string;
  /** Its name. */
  node: string;
}

/** How reliably a reused nonce is detected without the key. */
export interface NonceReuse {
  type: "nonce_reuse";
  /** Eb/N0. Unit: dB. */
  ebn0_db: number | null;
  /** Number of pairs of frames. */
  pairs: number;
  /** Share of failing checks below which a pair is reported. */
  threshold: number | null;
  /** Share of the reused nonces that are detected. */
  detected: number | null;
  /** Share of the pairs with different nonces that are reported. */
  false_alarms: number | null;
  /** Share of failing parity checks with different nonces. */
  failing_checks_fresh: number | null;
  /** Share of failing parity checks with the same nonce. */
  failing_checks_reused: number | null;
  /** Share of correct bits in the decoded sum of both payloads. */
  payload_sum_right: number | null;
}

/** Something that happened to the link itself. */
export interface Notice {
  type: "notice";
  /** What, in a sentence. */
  text: string;
}

/** A burst of a recording, opened or not. */
export interface OpenedBurst {
  type: "opened_burst";
  /** Its first sample. */
  sample: number;
  /** Time since the beginning. Unit: s. */
  time_s: number | null;
  /** Signal-to-noise ratio. Unit: dB. */
  snr_db: number | null;
  /** Symbols by which the latest echo that decision feedback took out was late; 0: there was no feedback. */
  echo_symbols: number;
  /** Number of the key that opened it, from 1; `null`: none. */
  key: number | null;
  /** Direction in its nonce, 0 or 1. */
  direction: number | null;
  /** Its frame counter. */
  counter: number | null;
  /** Whether the counter is not above that of a burst before it. */
  is_replayed: boolean;
  /** Payload. */
  hex: string | null;
}

/** A message of a recording: payloads of one key and direction, in order. */
export interface OpenedMessage {
  type: "opened_message";
  /** Number of the key, from 1. */
  key: number;
  /** Direction in the nonces, 0 or 1. */
  direction: number;
  /** Number of frames. */
  frames: number;
  /** Frames between these that were not opened. */
  missing: number;
  /** The message. */
  hex: string;
}

/** A security context that was written: nothing of its secret. */
export interface OscoreContext {
  type: "oscore_context";
  /** Directory of the node. */
  node: string;
  /** Its name; `null`: the only neighbour. */
  neighbour: string | null;
  /** Directory of the context. */
  output: string;
  /** Sender ID of this end, in hex digits. */
  sender: string;
  /** Sender ID of the other end, in hex digits. */
  recipient: string;
  /** Of the key of the run: both ends must show the same number. */
  generation: number;
}

/** What an eavesdropper without the key has decoded from a burst. */
export interface Overheard {
  type: "overheard";
  /** As in `burst_heard`; empty: a node. */
  sender: string;
  /** Whether the bits were encrypted. */
  is_encrypted: boolean;
  /** The most likely content of the frame: its first bytes. */
  content: string;
  /** The same as text, other bytes as `\xNN`; of zeros at the end, the number. */
  text: string;
  /** Bytes of the whole content. Unit: byte. */
  size: number;
  /** Signal-to-noise ratio of a symbol. Unit: dB. */
  snr_db: number | null;
}

/** An IPv6 packet on one hop. */
export interface Packet {
  type: "packet";
  /** Name of the node that sent it. */
  source: string;
  /** Name of the node that it was for. */
  destination: string;
  /** What it carries, in words. */
  protocol: string;
  /** Its size. Unit: byte. */
  packet_bytes: number;
  /** Frames that carried it. */
  frames: number;
  /** Frames that were sent again. */
  repetitions: number;
  /** Acknowledgements of frames. */
  acknowledgements: number;
  /** Bytes of all frames: `mac`, `security`, `6lowpan`, `transport`, `payload`, `repeated`. */
  layers: Record<string, number>;
  /** What sender and receiver spent; null: it is not known. Unit: J. */
  energy: Figure | null;
}

/** A report that was written. */
export interface Page {
  type: "page";
  /** The page. */
  path: string;
  /** A CSV file for each table. */
  files: Array<string>;
  /** What is at its top, by name. */
  facts: Record<string, string>;
}

/** A paper with tables in published/. */
export interface PaperDescription {
  type: "paper";
  /** Name, as `--paper` takes it. */
  slug: string;
  /** A short name. */
  name: string;
  /** Authors, title and where it was published. */
  citation: string;
}

/** What the paper's text states of a figure that has contours, and ours. */
export interface PaperClaim {
  type: "paper_claim";
  /** Number of the figure; `null`: both. */
  figure: number | null;
  /** What is stated. */
  name: string;
  /** The paper's. */
  published: Figure;
  /** Ours. */
  ours: Figure;
  /** Ours less the paper's, in their unit. */
  difference: number | null;
  /** What was compared: `text`, not the contours. */
  from: string;
}

/** One figure of the paper's tables, and ours. */
export interface PaperFigure {
  type: "paper_figure";
  /** `Table V` or `Table VI`. */
  table: string;
  /** What the figure is of. */
  name: string;
  /** The paper's. */
  published: Figure;
  /** Ours. */
  ours: Figure;
  /** How many times ours the paper's is. */
  ratio: number | null;
}

/** What the preset paper tells of one figure of the paper with contours. */
export interface PaperNetwork {
  type: "paper_network";
  /** Number of the figure. */
  figure: number;
  /** Least share of a life that security takes. */
  taken_min: number | null;
  /** Largest such share. */
  taken_max: number | null;
  /** Shortest life. Unit: day. */
  life_days_min: number | null;
  /** Longest life. Unit: day. */
  life_days_max: number | null;
}

/** A part that options can name. */
export interface ListedPart {
  type: "part";
  /** What it is. */
  kind: string;
  /** Its name, as options take it. */
  name: string;
  /** What it is in words. */
  title: string;
  /** Its file; `samara`: it is built in. */
  place: string;
  /** Why it cannot be used; null if it can. */
  problem?: string;
}

/** One field of a part. */
export interface PartField {
  type: "part_field";
  /** What the part is. */
  kind: string;
  /** Name of the part. */
  part: string;
  /** As files write it. */
  field: string;
  /** With its unit, as files write it. */
  value: string;
  /** How far 10 % and 90 % of draws are off. */
  tolerance: string;
  /** Published or assumed; null of a setting. */
  origin: Origin | null;
  /** Where it is from. */
  source: string;
}

/** Area and speed of a core in a part with programmable logic. */
export interface Placement {
  type: "placement";
  /** Name of the core. */
  core: string;
  /** Pre-output bits a clock. */
  n: number;
  /** How the core is built. */
  variant: "plain" | "fast" | "low-power";
  /** What it is in: `core` (alone), `axi` or `spi` (with that wrapper). */
  top: string;
  /** What the netlist is made for: `area` or `speed`. */
  goal: string;
  /** Name of the part. */
  part: string;
  /** Process, temperature and voltage that the figures hold for. */
  corner: string;
  /** Hash of the design's sources. */
  sources: string;
  /** Versions of the programs. */
  tools: Record<string, string>;
  /** Logic cells of iCE40, look-up tables of ECP5. */
  cells: number;
  /** Look-up tables of four inputs. */
  luts: number;
  /** Number of flip-flops. */
  flip_flops: number;
  /** How often it was placed. */
  seeds: number;
  /** The seed with the fastest clock. */
  best_seed: number;
  /** Where the longest path begins. */
  path_from: string;
  /** Where it ends. */
  path_to: string;
  /** Look-up tables and wide multiplexers on it. */
  path_cells: number;
  /** Its time in cells; the rest is wires. Unit: s. */
  path_logic: Figure;
  /** The fastest clock, of all seeds. Unit: Hz. */
  clock: Figure;
  /** Its median over the seeds. Unit: Hz. */
  clock_median: Figure;
  /** Of message or keystream, at the fastest clock. Unit: bit/s. */
  throughput: Figure;
}

/** Power of a netlist while it works, from simulated messages. */
export interface Power {
  type: "power";
  /** Name of the core. */
  core: string;
  /** Pre-output bits a clock. */
  n: number;
  /** How the core is built. */
  variant: "plain" | "fast" | "low-power";
  /** Whether it seals and opens; otherwise it makes a keystream. */
  authenticates: boolean;
  /** What the netlist is made for: `area` or `speed`. */
  goal: string;
  /** Name of the library of cells. */
  library: string;
  /** Hash of the library's file. */
  library_sha256: string;
  /** Process, temperature and voltage that the figures hold for. */
  corner: string;
  /** Hash of the design's sources. */
  sources: string;
  /** Versions of the programs. */
  tools: Record<string, string>;
  /** Clock that the figures are for. Unit: Hz. */
  clock: number | null;
  /** Simulated messages. */
  messages: number;
  /** Size of each of them. Unit: byte. */
  message_bytes: number;
  /** Power while nothing happens. Unit: W. */
  leakage: Figure;
  /** Power before data: key, nonce, mixing. Unit: W. */
  starting: Figure;
  /** Power with data, or with the tag. Unit: W. */
  running: Figure;
  /** Energy of a bit of data. Unit: J. */
  energy_per_bit: Figure;
  /** Energy of 64 bits with start. Unit: J. */
  energy_block: Figure;
  /** Energy of 64,000 bits with start. Unit: J. */
  energy_1000_blocks: Figure;
  /** `running` by part and kind, such as `generator/internal`. */
  running_parts: Record<string, Figure>;
  /** `leakage` by part. */
  leakage_parts: Record<string, Figure>;
}

/** A program was started, or has ended. */
export interface ProgramState {
  type: "program_state";
  /** What it is: `left`, `right`, `medium` and the like. */
  name: string;
  /** Whether it runs. */
  is_running: boolean;
  /** Its last lines on stderr. */
  last_words: Array<string>;
}

/** A frame that was secured. */
export interface ProtectedFrame {
  type: "protected_frame";
  /** The frame, without FCS. */
  frame: string;
}

/** What a paper printed of a message over such a link. */
export interface PublishedCost {
  type: "published_cost";
  /** The kind of link. */
  link: string;
  /** Its name in `samara bench published`. */
  paper: string;
  /** What was measured. */
  what: string;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** What was handed to the radio. Unit: byte. */
  sent_bytes: Figure | null;
  /** Time of the cipher. Unit: s. */
  crypto_time: Figure | null;
  /** Energy of the cipher. Unit: J. */
  crypto_energy: Figure | null;
}

/** A row of a paper's table. */
export interface PublishedRow {
  type: "published_row";
  /** Slug of the paper. */
  paper: string;
  /** Name of the file in published/. */
  file: string;
  /** The paper's name of the table. */
  table: string;
  /** Its cells as printed, by column. */
  cells: Record<string, string>;
}

/** What a radio co-processor says of itself. */
export interface RadioAbout {
  type: "radio_about";
  /** The port. */
  port: string;
  /** Its firmware. */
  firmware: string;
  /** Version of Spinel. */
  spinel: string;
  /** Version of the RCP's interface; null: not told. */
  api: number | null;
  /** Its extended address, in hex. */
  address: string;
  /** Channel on which it listened. */
  channel: number;
  /** Frames that it heard meanwhile. */
  frames: number;
}

/** p-values of randomness tests: small if the bits are not random. */
export interface Randomness {
  type: "randomness";
  /** What was sent. */
  what: string;
  /** Number of bits. */
  bits: number;
  /** p-value of the number of ones. */
  monobit: number | null;
  /** p-value of the number of runs. */
  runs: number | null;
  /** p-value of the counts of patterns of four bits. */
  serial: number | null;
  /** p-value of the share of failing parity checks, which is 1/2 for random bits. */
  codeword: number | null;
  /** Whether no test fails. */
  passes: boolean;
}

/** What was tested, and how; the first line. */
export interface RandomnessRun {
  type: "randomness_run";
  /** Name of the source. */
  source: string;
  /** The set of tests. */
  battery: "sts" | "dieharder" | "ent";
  /** Sequences that were asked for. */
  sequences: number;
  /** Size of a sequence. Unit: bit. */
  bits: number;
  /** What keys and nonces are made of. */
  seed: number;
  /** Key, nonce and so on. */
  facts: Record<string, string>;
  /** When and with what it was measured. */
  origin: string;
}

/** A source of bits, or sources that are named alike. */
export interface RandomnessSource {
  type: "randomness_source";
  /** Its name; capital letters stand for what a user chooses. */
  pattern: string;
  /** What its bits are. */
  what: string;
  /** What may stand for the capital letters, where that is a list. */
  names: Array<string>;
  /** Whether it is bad on purpose. */
  bad: boolean;
}

/** One test, or one of several p-values of a test. */
export interface RandomnessTest {
  type: "randomness_test";
  /** Its name. */
  test: string;
  /** Of SP 800-22; of a program what it measured. */
  section: string;
  /** Sequences that it applies to. */
  sequences: number;
  /** Of these, with p >= 0.01. */
  passed: number;
  /** Lower end of NIST's interval for the proportion. */
  low: number | null;
  /** Upper end of it. */
  high: number | null;
  /** p-value of the distribution of p-values. */
  uniformity: number | null;
  /** Number of p-values in each of ten classes. */
  histogram: Array<number>;
  /** The smallest p-value. */
  smallest: number | null;
  /** NIST's criteria that are not kept. */
  missed: Array<string>;
  /** What fails by the rule of the whole run. */
  failed: Array<string>;
  /** Share of the sequences that pass. */
  proportion: number | null;
}

/** What follows from all tests of a run; the last line. */
export interface RandomnessVerdict {
  type: "randomness_verdict";
  /** Whether no test fails. */
  passes: boolean;
  /** Sequences that were tested. */
  sequences: number;
  /** Number of NIST's criteria. */
  decisions: number;
  /** Probability below which a decision fails. */
  level: number | null;
  /** NIST's criteria that are not kept. */
  missed: number;
  /** How many of these a good source misses on average. */
  expected: number | null;
  /** Tests that fail. */
  failed: Array<string>;
}

/** What the figures of a link say. */
export interface Reading {
  type: "reading";
  /** The kind of link. */
  link: string;
  /** In plain words. */
  text: string;
}

/** What one message cost. */
export interface ReceiptRecord {
  type: "receipt";
  /** The kind of link. */
  link: string;
  /** sent or received: which end gives it. */
  direction: string;
  /** The framing, or the security level. */
  protection: string;
  /** What seals; null where nothing does. */
  suite: string | null;
  /** Bytes by part, to an eighth: all of samara.link.node.receipt.PARTS. */
  parts: Record<string, number | null>;
  /** Bytes handed to the radio that sends the message. Unit: byte. */
  link_bytes: number | null;
  /** The sum of all parts. Unit: byte. */
  air_bytes: number | null;
  /** Packets or frames that carry the message. */
  packets: number;
  /** Into how many payloads it is cut. */
  payloads: number;
  /** What the suite encrypts, of the message's frames. Unit: byte. */
  encrypted_bytes: number;
  /** What it authenticates there. Unit: byte. */
  authenticated_bytes: number;
  /** What the suite has to do at this end. */
  calls: Array<CallRecord>;
  /** What carries the payloads. */
  units: Array<UnitRecord>;
  /** Bytes handed to the radio for each byte of the message. */
  expansion: number | null;
  /** The microcontroller of the costs. */
  device: string | null;
  /** The transceiver of the costs. */
  radio: string | null;
  /** By name, in the order of samara.link.node.receipt.FIGURES. */
  figures: Record<string, Figure>;
  /** Sentences: what is assumed, and what is not known. */
  remarks: Array<string>;
}

/** A message that arrived. */
export interface ReceivedMessage {
  type: "received";
  /** The neighbour that sent it; null on a link of two ends. */
  source: string | null;
  /** Whether it was sent to all neighbours. */
  to_all: boolean;
  /** By which a repetition is recognised, if it can be repeated. */
  id: string | null;
  /** Whether it may have been handed on before. */
  repeated: boolean;
  /** Its size. Unit: byte. */
  bytes: number;
  /** Its bytes, as hex digits. */
  hex: string;
  /** Its bytes as UTF-8; others are escaped. */
  text: string;
  /** Frames, or units of the serial line, in hex. */
  air: Array<string>;
  /** When it was complete, by a monotonic clock. Unit: s. */
  clock_s: number | null;
  /** What it cost. */
  receipt: ReceiptRecord;
}

/** A burst of a recording as a receiver without the key hears it. */
export interface ReceivedBurst {
  type: "received_burst";
  /** Its first sample. */
  sample: number;
  /** Signal-to-noise ratio. Unit: dB. */
  snr_db: number | null;
  /** Symbols by which the latest echo that decision feedback took out was late; 0: there was no feedback. */
  echo_symbols: number;
}

/** A message that was recorded. */
export interface RecordedMessage {
  type: "recorded_message";
  /** The file with the facts. */
  meta: string;
  /** The file with the samples. */
  data: string;
  /** Number of bursts. */
  bursts: number;
}

/** Packets of a chip that were recorded. */
export interface RecordedPackets {
  type: "recorded_packets";
  /** The file with the facts. */
  meta: string;
  /** The file with the samples. */
  data: string;
  /** Number of packets. */
  packets: number;
  /** Name of the profile. */
  chip: string;
  /** Bits a second on the air. Unit: bit/s. */
  bit_rate: number | null;
  /** Distance of both frequencies from the carrier. Unit: Hz. */
  deviation_hz: number | null;
  /** Distance of both frequencies over the bit rate. */
  modulation_index: number | null;
  /** Bandwidth of the Gaussian filter times a bit; 0: no filter. */
  bandwidth_time: number | null;
  /** Width of the band with 99 % of the power. Unit: Hz. */
  occupied_hz: number | null;
  /** Whether Grain-128PLE takes the place of the whitening. */
  encrypted: boolean;
}

export interface Burst {
  /** Its first sample. */
  start: number;
  /** Number of samples. */
  count: number;
  /** Mean, over that of a sample of magnitude 1. Unit: dB. */
  power_db: number | null;
}

/** Facts about a recording. */
export interface Facts {
  type: "recording";
  /** Number of samples. */
  samples: number;
  /** Number of samples that were read. */
  looked_at: number;
  /** Sample rate. Unit: Hz. */
  sample_rate: number | null;
  /** Duration. Unit: s. */
  duration_s: number | null;
  /** Mean, over that of a sample of magnitude 1; `null` for silence. Unit: dB. */
  power_db: number | null;
  /** Power of the quietest tenth; `null` for silence. Unit: dB. */
  noise_db: number | null;
  /** Largest magnitude. */
  peak: number | null;
  /** Magnitude of the mean: the DC offset of a receiver. */
  offset: number | null;
  /** Samples that are not finite numbers; they are taken as zeros. */
  not_finite: number;
  /** Band with 99 % of the power, relative to the carrier. */
  occupied_hz: Array<number | null>;
  /** Bursts. */
  bursts: Array<Burst>;
}

/** Something that is not genuine, not new, or not for this node. */
export interface Refused {
  type: "refused";
  /** Why, in words. */
  reason: string;
  /** What kind of thing it is. */
  kind: "copied invitation" | "expired invitation" | "refused join" | "stranger" | "not genuine" | "replay" | "misused group key" | "other";
  /** How many of this kind it stands for: one is told every 10 s. */
  count: number;
}

/** A frame of a capture that was not changed. */
export interface RefusedFrame {
  type: "refused_frame";
  /** Its number, from 1. */
  frame: number;
  /** Why it was not changed. */
  reason: string;
}

/** A node that has new keys, which the other one does not have yet. */
export interface Rekeyed {
  type: "rekeyed";
  /** Its directory. */
  node: string;
  /** File with the keys of the other end. */
  pair: string;
}

/** What one cipher, compiled in one way, takes for one size of message. */
export interface ResultRecord {
  type: "result";
  /** Name of the device. */
  device: string;
  /** Suite, block cipher, or name of an added cipher. */
  suite: string;
  /** `portable` (C), or that of core/arch. */
  implementation: string;
  /** Optimisation of the compiler. */
  opt: string;
  /** Arguments of the compiler. */
  flags: string | null;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** Size of the associated data. Unit: byte. */
  ad_bytes: number;
  /** Name and version of the compiler. */
  compiler: string;
  /** Commit of the sources. */
  revision: string;
  /** Hash of the sources of the program. */
  sources: string;
  /** Why there are no figures. */
  problem: string | null;
  /** Whether all samples took the same number of cycles. */
  constant_time: boolean | null;
  /** Random keys and messages that were compared. */
  samples: number;
  /** Whether the sources here would give the same program; `null` if that cannot be told. */
  current: boolean | null;
  /** Code and constants. */
  code: Figure | null;
  /** Variables, the expanded key included. */
  static_ram: Figure | null;
  /** The most that any operation takes. */
  stack: Figure | null;
  /** By operation: `set_up`, `seal`, `open`, `encrypt`, `decrypt`, and parts of CCM\*. */
  cycles: Record<string, Figure> | null;
  /** By operation, where they are exact and cycles are not. */
  instructions: Record<string, Figure> | null;
  /** By operation. */
  time: Record<string, Figure> | null;
  /** By operation. */
  energy: Record<string, Figure> | null;
  /** By operation: the slowest sample less the fastest. */
  varies: Record<string, Figure> | null;
  /** The fastest public code that is known for the message. */
  best_known: Figure | null;
  /** The result divided by it. */
  times: Figure | null;
  /** Of a list that is sorted by it. */
  figure_of_merit?: Figure;
}

/** A token for the window of the other end, in another browser. */
export interface ScreenInvited {
  type: "screen_invited";
  /** It can be used once, for ten minutes. */
  token: string;
}

/** What a scheme costs the link. */
export interface SecrecyCost {
  type: "secrecy_cost";
  /** Scheme of encryption. */
  scheme: string;
  /** At which Eb/N0 is compared. */
  frame_error_rate: number | null;
  /** Eb/N0 for this frame error rate. Unit: dB. */
  ebn0_needed: Figure & { low: number | null; high: number | null; };
  /** How much more that is than without encryption. Unit: dB. */
  cost: Figure & { low: number | null; high: number | null; };
  /** Symbols that the scheme adds to a frame. Unit: 1. */
  symbols_added: Figure;
  /** Keystream for a frame. Unit: bit. */
  keystream_bits: Figure;
  /** Time to make a frame, on this computer, in NumPy. Unit: s. */
  send_time: Figure;
  /** Modulation. */
  modulation: string;
  /** Payload of a frame. Unit: byte. */
  payload_bytes: number;
  /** Random seed. */
  seed: number;
}

/** What an eavesdropper gains from a scheme by one attack. */
export interface SecrecyFinding {
  type: "secrecy_finding";
  /** Scheme of encryption. */
  scheme: string;
  /** Attack. */
  attack: string;
  /** What is measured: `advantage` of a game with two outcomes, `information` in bits a symbol, or a share. */
  measure: string;
  /** What the attack gained, with its interval. Unit: 1. */
  value: Figure & { low: number | null; high: number | null; };
  /** The value without listening. */
  by_chance: number | null;
  /** Whether the interval is above that value. */
  wins: boolean;
  /** Number of trials. */
  trials: number;
  /** Modulation. */
  modulation: string;
  /** Payload of a frame. Unit: byte. */
  payload_bytes: number;
  /** Eb/N0 of the eavesdropper. Unit: dB. */
  ebn0_db: number | null;
  /** Of the interval alone; all of a run hold together with 0.95. */
  confidence: number | null;
  /** Random seed. */
  seed: number;
}

/** What became of a message that was sent. */
export interface SentMessage {
  type: "sent";
  /** Frames, or units of the serial line, in hex. */
  air: Array<string>;
  /** How often each of them was sent. */
  attempts: Array<number>;
  /** When the first byte was sent, by a monotonic clock. Unit: s. */
  clock_s: number | null;
  /** Whether the other node has handed it on. */
  acknowledged: boolean;
  /** Frames that the other end's link was to acknowledge and did not. */
  frames_missed: number;
  /** Samples that a device took which does not tell whether they left it (soapy:). */
  device_samples: number | null;
  /** What it cost. */
  receipt: ReceiptRecord;
}

/** A serial module that samara knows. */
export interface SerialModule {
  type: "serial_module";
  /** Its name, as --module takes it. */
  module: string;
  /** What it is. */
  title: string;
  /** How its serial line carries packets. */
  wrapping: string;
  /** Baud rate of its port. Unit: bit/s. */
  baud: Figure;
  /** Bytes of a packet. Unit: byte. */
  packet: Figure;
  /** Bit rate on the air. Unit: bit/s. */
  air_rate: Figure;
  /** Where it can send, as --region takes it. */
  regions: Array<string>;
  /** Whether its profile was tried on hardware; if not, on an emulated module. */
  tried: boolean;
}

/** A serial port at which there may be a radio. */
export interface SerialRadio {
  type: "serial_radio";
  /** The port. */
  port: string;
  /** What the device says it is. */
  description: string;
  /** Vendor and product of USB, in hex; null: no USB device. */
  usb: string | null;
  /** What such devices are, as far as samara knows; null: not known. */
  known_as: string | null;
}

/** A setting of the air that can be changed while it runs. */
export interface SettingOffered {
  type: "setting_offered";
  /** Its name. */
  name: string;
  /** Beside the slider. */
  label: string;
  /** What it does, in a sentence. */
  help: string;
  /** Of its values; empty: none. */
  unit: string;
  /** The values that it can have. */
  values: Array<number | null>;
  /** The value that it has. */
  value: number | null;
}

/** What came of it when neighbours were asked for something. */
export interface Settled {
  type: "settled";
  /** The node's directory. */
  node: string;
  /** Whether all have answered, and none has refused. */
  done: boolean;
  /** Texts: what neighbours have not answered yet; the node asks again. */
  unsettled: Array<string>;
  /** Texts: why an introduction or a request to join failed. */
  refused: Array<string>;
}

/** A packet that was received. */
export interface SniffedPacket {
  type: "sniffed_packet";
  /** Time of its beginning. Unit: s. */
  time_s: number | null;
  /** Channel; `null` without a number. */
  channel: number | null;
  /** Whether its check sequence is right. */
  is_intact: boolean;
  /** Signal-to-noise ratio. Unit: dB. */
  snr_db: number | null;
  /** Carrier frequency offset. Unit: Hz. */
  offset_hz: number | null;
  /** Its bytes, with the check sequence. */
  hex: string;
}

/** How many packets were received; the last line. */
export interface SniffedPackets {
  type: "sniffed_packets";
  /** Packets whose check sequence is right. */
  intact: number;
  /** Packets whose check sequence is wrong. */
  damaged: number;
  /** Samples that came too fast to be searched. */
  dropped_samples: number;
}

/** How long sealing takes for messages of one size: the best of several rounds. */
export interface Speed {
  type: "speed";
  /** The suite, or what it is compared with. */
  name: string;
  /** Size of a message. Unit: byte. */
  message_bytes: number;
  /** Number of rounds. */
  rounds: number;
  /** Time for a byte. Unit: s. */
  time_per_byte: Figure;
  /** Cycles of the time-stamp counter. Unit: cycle. */
  cycles_per_byte: Figure | null;
  /** Time over that of OpenSSL's AES-128-GCM. */
  ratio_openssl_gcm: number | null;
  /** Time over that of OpenSSL's AES-128-CCM. */
  ratio_openssl_ccm: number | null;
  /** What a call from Python takes for an empty message. Unit: s. */
  empty_call: Figure | null;
}

/** How long sealing takes for a frame among many, each with its own key. */
export interface SpeedBatch {
  type: "speed_batch";
  /** The suite, or what it is compared with. */
  name: string;
  /** Size of a frame. Unit: byte. */
  frame_bytes: number;
  /** Number of frames in a batch. */
  frames: number;
  /** Number of rounds. */
  rounds: number;
  /** Time for a frame. Unit: s. */
  time_per_frame: Figure;
  /** Cycles of the time-stamp counter. Unit: cycle. */
  cycles_per_frame: Figure | null;
  /** Frames in a second. Unit: frame/s. */
  frames_per_second: Figure;
  /** Frames per second over those of OpenSSL's AES-128-GCM, one at a time. */
  ratio_openssl_gcm: number | null;
  /** The same without OpenSSL's time for an empty message. */
  ratio_openssl_gcm_net: number | null;
  /** Frames per second over those of OpenSSL's AES-128-CCM, one at a time. */
  ratio_openssl_ccm: number | null;
  /** The same without OpenSSL's time for an empty message. */
  ratio_openssl_ccm_net: number | null;
  /** What a call from Python takes for an empty message. Unit: s. */
  empty_call: Figure | null;
}

/** How long a memory lasts that keeps a counter, at a step. */
export interface StoreLife {
  type: "store_life";
  /** Name of the memory. */
  memory: string;
  /** Messages that one record covers. */
  step: number;
  /** Size of a record, with its filler. Unit: byte. */
  record_bytes: number;
  /** Number of records that there is room for. */
  slots: number;
  /** Records that can be written until the endurance is used. */
  records: Figure;
  /** Records written for a message. */
  records_per_message: Figure;
  /** Records written in a day. */
  records_per_day: Figure;
  /** Pages erased in a day. */
  erases_per_day: Figure;
  /** Until the endurance is used. Unit: year. */
  life: Figure;
  /** Numbers that a reset skips at most. */
  lost_numbers: number;
  /** What writes and erases take in a day. Unit: J. */
  energy_per_day: Figure;
}

/** A cipher in a mode with its tag length. */
export interface SuiteRecord {
  type: "suite";
  /** Its name. */
  slug: string;
  /** How far it may be relied on. */
  standing: "standard" | "finalist" | "research";
  /** Where it is defined. */
  source: string;
  /** A warning or a remark; may be empty. */
  note: string;
  /** Size of a key. Unit: byte. */
  key_size: number;
  /** Recommended size of a nonce. Unit: byte. */
  nonce_size: number;
  /** Smallest size of a nonce. Unit: byte. */
  nonce_size_min: number;
  /** Largest size of a nonce. Unit: byte. */
  nonce_size_max: number;
  /** Size of the tag; 0 for none. Unit: byte. */
  tag_size: number;
  /** Messages are padded to a multiple of it; 0: not. Unit: byte. */
  padding_size: number;
  /** Whether modified messages are detected. */
  authenticates: boolean;
  /** Whether a message can be processed in pieces. */
  streams: boolean;
}

/** Area and speed of a netlist. */
export interface Synthesis {
  type: "synthesis";
  /** Name of the core. */
  core: string;
  /** Pre-output bits a clock. */
  n: number;
  /** How the core is built. */
  variant: "plain" | "fast" | "low-power";
  /** Whether it seals and opens; otherwise it makes a keystream. */
  authenticates: boolean;
  /** What it is in: `core` (alone), `axi` or `spi` (with that wrapper). */
  top: string;
  /** What the netlist is made for: `area` or `speed`. */
  goal: string;
  /** Name of the library of cells. */
  library: string;
  /** Hash of the library's file. */
  library_sha256: string;
  /** Process, temperature and voltage that the figures hold for. */
  corner: string;
  /** The cell of one gate equivalent. */
  nand2: string;
  /** Hash of the design's sources. */
  sources: string;
  /** Versions of the programs. */
  tools: Record<string, string>;
  /** Number of flip-flops. */
  flip_flops: number;
  /** Number of latches. */
  latches: number;
  /** Number of clock gates. */
  clock_gates: number;
  /** Pins that change more slowly, or drive more, than the library allows. */
  beyond_limits: number | null;
  /** Area of all. Unit: GE. */
  area: Figure;
  /** Area of the flip-flops. Unit: GE. */
  flip_flops_area: Figure;
  /** Area of the clock gates. Unit: GE. */
  clock_gates_area: Figure;
  /** The longest path between two flip-flops. Unit: s. */
  path: Figure;
  /** The longest path, those from and to ports among them. Unit: s. */
  path_with_ports: Figure;
  /** The fastest clock. Unit: Hz. */
  clock: Figure;
  /** Of message or keystream, at that clock. Unit: bit/s. */
  throughput: Figure;
}

/** A table of figures that a demonstration found. */
export interface DemoTable {
  type: "table";
  /** The kind of link. */
  link: string;
  /** A short name of the table. */
  slug: string;
  /** Its title. */
  title: string;
  /** What stands below it. */
  caption: string;
  /** Objects by column: a figure, a text or null. */
  rows: Array<Record<string, unknown>>;
}

/** A table of a report. */
export interface ReportTable {
  type: "table";
  /** Name of its file, without the ending. */
  slug: string;
  /** The line above it. */
  title: string;
  /** The lines below it; may be empty. */
  caption: string;
  /** By column: a figure, a text, a number or `null`. */
  rows: Array<Record<string, unknown>>;
}

/** A trace that was read, and what could not be told from it. */
export interface Trace {
  type: "trace";
  /** Name of the file. */
  file: string;
  /** Its format. */
  format: string;
  /** Number of samples. */
  samples: number;
  /** Samples a second. Unit: Hz. */
  rate: Figure;
  /** Of the trace. Unit: s. */
  duration: Figure;
  /** Time without samples. Unit: s. */
  missing: Figure;
  /** Number of gaps. */
  gaps: number;
  /** Mean current. Unit: A. */
  current: Figure;
  /** Of sleep over the trace, of its mean. Unit: 1. */
  drift: Figure;
  /** Current above which an event begins. Unit: A. */
  threshold: Figure | null;
  /** Above the threshold, and too short for events. */
  pulses: number;
  /** Events with missing samples, which are left out. */
  broken: number;
  /** Lines of the file that are no samples. */
  unreadable: number;
  /** Samples at no possible time, or not later than the one before. */
  disordered: number;
  /** What the trace does not show. */
  unknowns: Array<string>;
}

/** What a device draws asleep, and in each kind of event of its trace. */
export interface TraceKind {
  type: "trace_kind";
  /** sleep; poll: the most frequent kind at regular times; transmit and its length; event and a number; other: events that are like no others. */
  name: string;
  /** Number of events. */
  count: number | null;
  /** Between two, if they come at regular times. Unit: s. */
  interval: Figure | null;
  /** Mean duration. Unit: s. */
  duration: Figure | null;
  /** Mean current. Unit: A. */
  current: Figure;
  /** 10 % of events have a smaller charge above sleep. Unit: C. */
  low: Figure | null;
  /** Mean charge of an event above sleep. Unit: C. */
  charge: Figure | null;
  /** 90 % of events have a smaller charge above sleep. Unit: C. */
  high: Figure | null;
  /** Of the charge of the trace. Unit: 1. */
  share: Figure;
}

/** Charge of a transmission by its length, if `--lengths` tells the lengths. */
export interface TraceLengths {
  type: "trace_lengths";
  /** Of one without bytes that does not wait. Unit: C. */
  base: Figure;
  /** Of each byte. Unit: C. */
  per_byte: Figure;
  /** Current above sleep while it waits. Unit: A. */
  waiting: Figure;
  /** Mean time that it waits longer than the quickest. Unit: s. */
  waits: Figure;
  /** Transmissions used. */
  used: number;
  /** Left out: most likely more than one in a time. */
  merged: number;
  /** Usual deviation from the fit. Unit: 1. */
  deviation: Figure;
}

/** A program that sent something through the laboratory has ended. */
export interface TrafficEnded {
  type: "traffic_ended";
  /** The program. */
  program: string;
  /** Name of the node at which it ran. */
  source: string;
  /** Name of the node that it asked. */
  destination: string;
  /** Whether it got what it asked for. */
  succeeded: boolean;
  /** The last of what it said. */
  said: string;
}

/** The versions of what runs, and the code that this processor makes it take. */
export interface Versions {
  type: "version";
  /** Version of the Python package. */
  package: string;
  /** Version of the C library in it. */
  c_library: string;
  /** Version of Python. */
  python: string;
  /** Implementation of Python, such as CPython. */
  implementation: string;
  /** Machine that it runs on, such as x86_64. */
  machine: string;
  /** Sets of instructions of this processor for which the C library has code of its own. Without any it takes portable code. */
  instructions: Array<string>;
}

/** Cycles of an operation without and with the wait states of flash memory. */
export interface WaitsCount {
  type: "waits";
  /** Chip or board. */
  device: string;
  /** Wait states of its flash memory. */
  wait_states: number;
  /** Suite or block cipher. */
  suite: string;
  /** `portable` (C), or that of core/arch. */
  implementation: string;
  /** Optimisation of the compiler. */
  opt: string;
  /** Size of the message. Unit: byte. */
  message_bytes: number;
  /** Size of the associated data. Unit: byte. */
  ad_bytes: number;
  /** `set_up`, `seal` and others. */
  operation: string;
  /** Without wait states. */
  without: Figure;
  /** With wait states. */
  waiting: Figure;
  /** With over without; none of 0 cycles. */
  times: number | null;
}

/** Parts that can be a node together, without security; the best comes first. */
export interface WeighedParts {
  type: "weighed_parts";
  /** Name of the device. */
  device: string;
  /** Name of the radio. */
  radio: string;
  /** Name of the medium access. */
  mac: string;
  /** Name of the battery. */
  battery: string;
  /** Life without security that 10 % of draws are below: a bound of its life with any suite. Unit: year. */
  life: Figure;
  /** Mean time of a hop without security. Unit: s. */
  latency: Figure;
}

/** A line of JSON. */
export type SamaraRecord = Acceptance | ActionOffered | AddedCipher | Advice | MessageAirtime | AnswerEnd | AnswerNotice | AnswerProgress | AnswerRemark | AnswerTable | AssumptionRecord | FlippedBits | BatteryLife | BestRecord | Block | BlockCipherRecord | BoardCount | BoardProgram | UnopenedBurst | BurstHeard | Capture | ChainSpeed | ChannelBurst | ChannelReady | ChannelStatistics | Check | CheckedMeasurement | ChipAnswer | ChipCost | ChoiceRecord | Contradiction | ControlDone | ControlRefused | ConversationListed | ConversationNote | ConversationRefusal | CoreDescription | CounterSearch | CrystalError | DemoEnd | DeviceDescription | DeviceExported | DeviceOffered | Difference | DoctorPart | EnergyMessage | ErrorRates | EstimatorBias | ExchangeRecord | ExcludedChoice | FirmwareCost | FirmwareMade | FirmwareMessage | FirmwareReceipt | FirmwareSize | Forgery | Forgotten | FrameRecord | FrameHeard | Incomplete | Influence | InterfaceUp | InterfaceStatistics | InterruptsOff | Invitation | InvitationCancelled | Joined | KeyShown | LabNode | LaboratoryShown | LifeAtInterval | LinkOffered | Lost | MeasuredModule | MediumStatistics | MediumMissed | MessageArrived | MessageCost | MessageSent | MessageSpoken | MissingMeasurement | ModemsReady | ModemPacket | ModemStatistics | ModuleFigure | ModuleSetting | ModuleStep | NetworkLife | NetworkSimulation | NetworkSimulationRange | NetworkTimeline | NetworkTimelineNode | NetworkTimelineStep | NodeStatus | NodeMade | NodeShown | NodeSteered | NonceReuse | Notice | OpenedBurst | OpenedMessage | OscoreContext | Overheard | Packet | Page | PaperDescription | PaperClaim | PaperFigure | PaperNetwork | ListedPart | PartField | Placement | Power | ProgramState | ProtectedFrame | PublishedCost | PublishedRow | RadioAbout | Randomness | RandomnessRun | RandomnessSource | RandomnessTest | RandomnessVerdict | Reading | ReceiptRecord | ReceivedMessage | ReceivedBurst | RecordedMessage | RecordedPackets | Facts | Refused | RefusedFrame | Rekeyed | ResultRecord | ScreenInvited | SecrecyCost | SecrecyFinding | SentMessage | SerialModule | SerialRadio | SettingOffered | Settled | SniffedPacket | SniffedPackets | Speed | SpeedBatch | StoreLife | SuiteRecord | Synthesis | DemoTable | ReportTable | Trace | TraceKind | TraceLengths | TrafficEnded | Versions | WaitsCount | WeighedParts;
