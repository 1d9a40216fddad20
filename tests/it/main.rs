//! The platform as one thing, asked through its doors, on both stores.

mod a2a;
mod agents;
mod call;
mod cards;
mod doors;
mod http;
mod import;
mod keys;
mod matching;
mod openapi;
mod operator;
mod platform;
mod process;
mod push;
mod register;
mod rest;
mod retention;
mod safety;
mod stores;
mod tasks;
mod terms;
mod tidy;
mod verify;
mod way;
