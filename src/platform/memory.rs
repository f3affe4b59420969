//! Memory that was given back by the program and will be asked for again in the next frame.

/// Keeps up to 128 MiB of memory that is free, for a window that needs megabytes for every frame. By default the allocator of
/// Linux returns it to the system at once, and page by page it comes back again: a twentieth of the time of a frame that is drawn
/// without a graphics card.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const MEBIBYTE: libc::c_int = 1 << 20;
        // More than 32 are refused.
        const SETTINGS: [(libc::c_int, libc::c_int); 3] = [
            (libc::M_MMAP_THRESHOLD, 32 * MEBIBYTE),
            (libc::M_TRIM_THRESHOLD, 128 * MEBIBYTE),
            (libc::M_TOP_PAD, 16 * MEBIBYTE),
        ];
        for (setting, value) in SETTINGS {
            // SAFETY: it changes a number of the allocator, whatever other threads do.
            #[expect(unsafe_code, reason = "a setting of the C library that has no safe name")]
            unsafe {
                libc::mallopt(setting, value);
            }
        }
    }
}
