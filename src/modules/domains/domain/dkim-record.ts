/**
 * Says why a TXT record at a selector does not announce the key; null if it does.
 * https://datatracker.ietf.org/doc/html/rfc6376#section-3.6.1
 */
export function dkimFault(text: string, publicKey: string): string | null {
  const tags = parseTags(text);
  if (!tags || (tags.has('v') && (tags.get('v') !== 'DKIM1' || [...tags.keys()][0] !== 'v'))) {
    return 'is not a DKIM record';
  }
  const key = tags.get('p')?.replace(/\s+/g, '');
  if (key === undefined) return 'is not a DKIM record: it has no `p=`';
  if (key === '') return 'revokes the key: its `p=` is empty';
  if ((tags.get('k') ?? 'rsa') !== 'rsa') return 'is not for an RSA key: it needs `k=rsa`';
  if (key !== publicKey) return 'holds another key';
  if (!lists(tags.get('h'), 'sha256', 'sha256')) return 'does not allow SHA-256: leave out its `h=`';
  return lists(tags.get('s'), '*', 'email') ? null : 'is not for email: leave out its `s=`';
}

/** Null if the text is not a list of tags or repeats one. */
function parseTags(text: string): Map<string, string> | null {
  const tags = new Map<string, string>();
  const parts = text.split(';').map((part) => part.trim());
  for (const part of parts.at(-1) === '' ? parts.slice(0, -1) : parts) {
    const [, name, value] = /^([A-Za-z]\w*)\s*=([^]*)$/.exec(part) ?? [];
    if (name === undefined || value === undefined || tags.has(name)) return null;
    tags.set(name, value.trimStart());
  }
  return tags;
}

const lists = (value: string | undefined, ...wanted: string[]) =>
  value === undefined || value.split(':').some((entry) => wanted.includes(entry.trim()));
