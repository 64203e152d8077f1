// SPDX-License-Identifier: Apache-2.0

//! Prints the p-values that the crate nistrs finds in the bytes of standard input,
//! a line each, in the order of NIST's program. nan: the test does not apply.

use std::io::{stdin, Read};

use nistrs::prelude::*;

type One = (bool, f64);

fn print(found: &[One]) {
    for (_, p) in found {
        println!("{p}");
    }
}

/// Prints so many values, or as many nan.
fn print_all<T: AsRef<[One]>>(found: Result<T, String>, count: usize) {
    match found {
        Ok(values) => print(values.as_ref()),
        Err(_) => print(&vec![(false, f64::NAN); count]),
    }
}

fn main() {
    let mut bytes = Vec::new();
    stdin().read_to_end(&mut bytes).expect("bytes");
    let data = BitsData::from_binary(bytes);
    print(&[frequency_test(&data)]);
    print_all(block_frequency_test(&data, 128).map(|one| [one]), 1);
    print(&cumulative_sums_test(&data));
    print(&[runs_test(&data)]);
    print_all(longest_run_of_ones_test(&data).map(|one| [one]), 1);
    print_all(rank_test(&data).map(|one| [one]), 1);
    print(&[fft_test(&data)]);
    print_all(non_overlapping_template_test(&data, 9), 148);
    print(&[overlapping_template_test(&data, 9), universal_test(&data)]);
    print(&[approximate_entropy_test(&data, 10)]);
    print_all(random_excursions_test(&data), 8);
    print_all(random_excursions_variant_test(&data), 18);
    print(&serial_test(&data, 16));
    print(&[linear_complexity_test(&data, 500)]);
}
