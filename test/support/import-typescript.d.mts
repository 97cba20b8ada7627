/** `file` is relative to test/support. */
export function importTypeScript(file: string): Promise<unknown>;
