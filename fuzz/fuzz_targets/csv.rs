//! Any bytes as a file of data: its first column becomes a posterior, or it is refused with a problem and a remedy.

#![no_main]

use std::fs;

use libfuzzer_sys::fuzz_target;
use sampler_lab::params::{ParamType, Settings, Value, find_kind};
use sampler_lab::targets::{self, TARGETS};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("data.csv"), bytes).expect("a file");
    let kind = find_kind(&TARGETS, "normal-gamma").expect("a target with data");
    let Some(ParamType::Group(kinds)) = kind.param("data").map(|spec| spec.ty) else { panic!("data are a group") };
    let mut data = Settings::defaults(find_kind(kinds, "csv").expect("data of a file"));
    data.set("path", Value::Text("data.csv".to_owned())).expect("a path");
    let mut settings = Settings::defaults(kind);
    settings.set("data", Value::Group(data)).expect("data");
    if let Err(errors) = targets::build(&settings, folder.path()) {
        assert!(!errors.is_empty() && errors.iter().all(|error| !error.problem.is_empty() && !error.allowed.is_empty()));
        assert!(errors.iter().all(|error| error.to_string().len() < 3000));
    }
});
