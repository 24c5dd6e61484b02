// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only

//! neighbour: what neighbour.c does, in Rust, with its standard library alone.
use std::fs;
use std::io::{Error, Read, Result, Write};
use std::os::raw::{c_int, c_ulong, c_void};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::io::AsRawFd;

const CLASS_DIR: &str = "/sys/class/infiniband";
const MAD_DIR: &str = "/sys/class/infiniband_mad/umad0";
const DEVICE: &str = "/dev/infiniband/umad0";
const REGISTER_AGENT2: c_ulong = 0xC028_1B04;
const HEADER: usize = 64;
const MAD: usize = 256;
const POLLIN: i16 = 1;

#[repr(C)]
struct PollFd {
    fd: c_int,
    events: i16,
    revents: i16,
}

extern "C" {
    fn ioctl(fd: c_int, request: c_ulong, argument: *mut c_void) -> c_int;
    fn poll(fds: *mut PollFd, count: c_ulong, timeout_ms: c_int) -> c_int;
}

/// The first word of a file.
fn word_of(path: String) -> Result<String> {
    Ok(fs::read_to_string(path)?.trim().to_string())
}

fn list_devices() -> Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(CLASS_DIR)? {
        names.push(entry?.file_name().into_string().unwrap());
    }
    names.sort();
    for name in names {
        println!("device {name}: GUID {}", word_of(format!("{CLASS_DIR}/{name}/node_guid"))?);
    }
    let is_device = fs::metadata(DEVICE)?.file_type().is_char_device();
    println!(
        "umad0: port {} of {}{}",
        word_of(format!("{MAD_DIR}/port"))?,
        word_of(format!("{MAD_DIR}/ibdev"))?,
        if is_device { ", a character device" } else { "" }
    );
    Ok(())
}

fn request(agent: u32) -> [u8; HEADER + MAD] {
    let mut umad = [0; HEADER + MAD];
    umad[..4].copy_from_slice(&agent.to_ne_bytes());
    umad[8..12].copy_from_slice(&1000u32.to_ne_bytes()); // ms
    umad[28..30].fill(0xff); // LID: permissive
    let smp = &mut umad[HEADER..];
    smp[..8].copy_from_slice(&[1, 0x81, 1, 1, 0, 0, 0, 1]); // by directed route, Get, one hop
    smp[12..16].copy_from_slice(b"any!");
    smp[17] = 0x11; // NodeInfo
    smp[32..36].fill(0xff);
    smp[129] = 1; // by port 1
    umad
}

fn ask(file: &mut fs::File, agent: u32) -> Result<()> {
    let mut answer = [0; HEADER + MAD];
    file.write_all(&request(agent))?;
    let mut readable = PollFd { fd: file.as_raw_fd(), events: POLLIN, revents: 0 };
    if unsafe { poll(&mut readable, 1, 5000) } != 1 {
        println!("no answer: errno {}", Error::last_os_error().raw_os_error().unwrap_or(0));
        return Ok(());
    }
    file.read_exact(&mut answer)?;
    let smp = &answer[HEADER..];
    let tid = String::from_utf8_lossy(&smp[12..16]);
    println!("neighbour: method {:#x}, TID {tid}, type {}, {} ports", smp[3], smp[66], smp[67]);
    Ok(())
}

fn refused(call: &str, result: Result<usize>) {
    match result {
        Ok(value) => println!("{call}: {value}, errno 0"),
        Err(error) => println!("{call}: -1, errno {}", error.raw_os_error().unwrap_or(0)),
    }
}

fn do_ioctl(file: &fs::File, number: c_ulong, argument: &mut [u8]) -> Result<usize> {
    match unsafe { ioctl(file.as_raw_fd(), number, argument.as_mut_ptr().cast()) } {
        value if value < 0 => Err(Error::last_os_error()),
        value => Ok(value as usize),
    }
}

fn main() -> Result<()> {
    list_devices()?;
    let mut file = fs::OpenOptions::new().read(true).write(true).open(DEVICE)?;
    let mut asked = [0u8; 40];
    (asked[8], asked[9]) = (0x81, 1);
    match do_ioctl(&file, REGISTER_AGENT2, &mut asked) {
        Ok(_) => ask(&mut file, u32::from_ne_bytes(asked[..4].try_into().unwrap()))?,
        Err(error) => println!("register: errno {}", error.raw_os_error().unwrap_or(0)),
    }
    refused("write of 20 bytes", file.write(&[0; 20]));
    refused("write for agent 31", file.write(&request(31)));
    refused("read of 20 bytes", file.read(&mut [0; 20]));
    refused("unknown ioctl", do_ioctl(&file, 0x1B09, &mut []));
    Ok(())
}
