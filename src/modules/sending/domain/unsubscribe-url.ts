const MAX_LENGTH = 2_048;

/** Why the text cannot stand in a List-Unsubscribe header; undefined if it can. http is for installations without TLS. */
export function unsubscribeUrlFault(text: string, allowHttp: boolean): string | undefined {
  if (text.length > MAX_LENGTH) return `unsubscribeUrl must be at most ${MAX_LENGTH} characters long`;
  const protocols = allowHttp ? ['https:', 'http:'] : ['https:'];
  const isUrl = /^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(text) && URL.canParse(text) && /^https?:\/\//i.test(text);
  return isUrl && protocols.includes(new URL(text).protocol)
    ? undefined
    : `unsubscribeUrl must be an absolute ${allowHttp ? 'http or https' : 'https'} URL`;
}
