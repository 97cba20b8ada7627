import type { components } from './schema.js';
import type { Attachment, Email, Sms, Time } from './types.js';

type Schemas = components['schemas'];

const CHUNK = 0x8000;

export const textOf = (time: Time): string => (typeof time === 'string' ? time : time.toISOString());

/** The e-mail in the form of the API: files in base64, the time as text. */
export async function encodeEmail({ attachments, scheduledAt, ...fields }: Email): Promise<Schemas['SendEmailDto']> {
  return {
    ...fields,
    ...(attachments && { attachments: await Promise.all(attachments.map(encodeAttachment)) }),
    ...(scheduledAt && { scheduledAt: textOf(scheduledAt) }),
  };
}

export const encodeSms = ({ scheduledAt, ...fields }: Sms): Schemas['SendSmsDto'] => ({
  ...fields,
  ...(scheduledAt && { scheduledAt: textOf(scheduledAt) }),
});

async function encodeAttachment({ content, ...fields }: Attachment): Promise<Schemas['AttachmentDto']> {
  if (typeof content === 'string') return { ...fields, content };
  const bytes =
    content instanceof Uint8Array
      ? content
      : new Uint8Array(content instanceof ArrayBuffer ? content : await content.arrayBuffer());
  return { ...fields, content: base64Of(bytes) };
}

/** Encodes in chunks, because the number of arguments of a call is limited. */
function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}
