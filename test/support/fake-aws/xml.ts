const XMLNS = 'xmlns="http://sns.amazonaws.com/doc/2010-03-31/"';
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

export const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

export const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;

/** A list of entries that are XML already. */
export const members = (name: string, entries: readonly string[]) =>
  `<${name}>${entries.map((entry) => `<member>${entry}</member>`).join('')}</${name}>`;

export const answerXml = (operation: string, result: string, requestId: string) =>
  `<${operation}Response ${XMLNS}><${operation}Result>${result}</${operation}Result>` +
  `<ResponseMetadata>${element('RequestId', requestId)}</ResponseMetadata></${operation}Response>`;

export const errorXml = (status: number, code: string, message: string, requestId: string) =>
  `<ErrorResponse ${XMLNS}><Error>${element('Type', status < 500 ? 'Sender' : 'Receiver')}` +
  `${element('Code', code)}${element('Message', message)}</Error>${element('RequestId', requestId)}</ErrorResponse>`;
