//! Tests that run compiled to wasm, in Node.js: what could differ there from the native tests.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn counts_of_bytes_need_more_than_a_pointer_holds() {
    let card_memory: u64 = 80 << 30;
    assert!(usize::try_from(card_memory).is_err());
}
