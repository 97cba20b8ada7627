/** The header fields of a mail (RFC 5322), unfolded, in their order. */
export function headerFieldsOf(source: string): [name: string, value: string][] {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1);
  const fields: [string, string][] = [];
  for (const line of head.split(/\r?\n/)) {
    const last = fields.at(-1);
    if (last && /^[ \t]/.test(line)) last[1] += ` ${line.trim()}`;
    else {
      const colon = line.indexOf(':');
      if (colon > 0) fields.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
    }
  }
  return fields;
}
