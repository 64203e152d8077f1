// SPDX-License-Identifier: Apache-2.0

//! Seals messages with the crate grain-128aeadv2, for `samara speed --crate`.
//!
//! Reads lines of two numbers, the bytes of a message and how often to seal it,
//! and answers each with the nanoseconds that this took.

use std::hint::black_box;
use std::io::{stdin, stdout, BufRead, Write};
use std::time::Instant;

use grain_128aeadv2::aead::{AeadInOut, KeyInit};
use grain_128aeadv2::{Grain128, Key, Nonce};

fn main() {
    let key = Key::<Grain128>::from([0u8; 16]);
    let nonce = Nonce::<Grain128>::from([0u8; 12]);
    for line in stdin().lock().lines() {
        let line = line.expect("a line");
        let mut numbers = line.split(' ').map(|word| word.parse::<usize>());
        let (Some(Ok(size)), Some(Ok(count))) = (numbers.next(), numbers.next()) else {
            panic!("expected the bytes of a message and a count, got: {line}");
        };
        let mut message = vec![0u8; size];
        let start = Instant::now();
        for _ in 0..count {
            let cipher = Grain128::new(black_box(&key));
            let tag = cipher.encrypt_inout_detached(&nonce, b"", message.as_mut_slice().into());
            black_box(tag.expect("no message is too long"));
        }
        println!("{}", start.elapsed().as_nanos());
        stdout().flush().expect("a reader");
    }
}
