import { MAX_ATTACHMENTS } from '../../../config/limits.js';
import { isBase64 } from '../../../shared/base64.js';
import { isSingleLine } from '../../../shared/text.js';
import { namesPath, refusedType } from './refused-types.js';

const MAX_FILENAME_LENGTH = 255;
const MAX_CONTENT_TYPE_LENGTH = 255;
const TOKEN = "[A-Za-z0-9!#$&'*+.^_`|~-]+";
const CONTENT_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *; *${TOKEN}=(?:${TOKEN}|"[ !#-[\\]-~]*"))*$`);
/** These types must not be encoded in base64 (RFC 2045 §6.4). */
const COMPOSITE_TYPE = /^(?:multipart|message)\//i;
const CONTENT_ID = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]{1,78}$/;
/** Format characters hide the type, or show it elsewhere in the name. */
const INVISIBLE = /\p{Cf}/u;
/** Programs decode encoded words (RFC 2047), and then the name is another one. */
const ENCODED_WORD_START = '=?';
const FIELDS = ['filename', 'content', 'contentType', 'contentId'];

/** An attachment as it is in a request. */
export interface GivenAttachment {
  filename: string;
  /** In base64, or already decoded. */
  content: string | Buffer;
  contentType?: string | null;
  contentId?: string | null;
}

export interface Attachment {
  filename: string;
  contentType: string;
  /** Null unless the HTML refers to it. */
  contentId: string | null;
  bytes: Buffer;
}

/** The attachments of a request without faults. */
export const toAttachments = (given: readonly GivenAttachment[]): Attachment[] =>
  given.map(({ filename, content, contentType, contentId }) => ({
    filename,
    contentType: contentType ?? typeOf(filename),
    contentId: contentId ?? null,
    bytes: bytesOf(content),
  }));

export const bytesOf = (content: string | Buffer): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'base64') : content;

/** Validation errors of the attachments of a request. */
export function attachmentFaults(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  if (value.length > MAX_ATTACHMENTS) return [`attachments must have at most ${MAX_ATTACHMENTS} entries`];
  const faults = value.flatMap((attachment, i) => {
    const fault = faultOf(attachment);
    return fault === undefined ? [] : [`attachments[${i}]${fault}`];
  });
  return faults.length > 0 ? faults : repeatedContentIds(value as GivenAttachment[]);
}

/** The first fault; it begins with a space or with the field. */
function faultOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ' must be an object';
  const unknown = Object.keys(value).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return `.${unknown} is not a known field`;
  const { filename, content, contentType, contentId } = value as Record<string, unknown>;
  return filenameFault(filename) ?? contentFault(content) ?? contentTypeFault(contentType) ?? contentIdFault(contentId);
}

function filenameFault(filename: unknown): string | undefined {
  if (typeof filename !== 'string' || filename.trim() === '') return '.filename is required';
  if (filename.length > MAX_FILENAME_LENGTH) return `.filename must have at most ${MAX_FILENAME_LENGTH} characters`;
  if (!isSingleLine(filename)) return '.filename must not contain line breaks or control characters';
  if (INVISIBLE.test(filename)) return '.filename must not contain invisible characters';
  if (filename.includes(ENCODED_WORD_START)) return `.filename must not contain ${ENCODED_WORD_START}`;
  if (namesPath(filename)) return '.filename must not contain / or \\';
  const refused = refusedType(filename);
  return refused === undefined ? undefined : `.filename has a type that providers refuse: ${refused}`;
}

function contentFault(content: unknown): string | undefined {
  if (content === undefined || content === null) return '.content is required';
  if (Buffer.isBuffer(content)) return undefined;
  return typeof content === 'string' && isBase64(content) ? undefined : '.content is not base64';
}

function contentTypeFault(type: unknown): string | undefined {
  if (type === undefined || type === null) return undefined;
  if (typeof type !== 'string' || type.length > MAX_CONTENT_TYPE_LENGTH || !CONTENT_TYPE.test(type))
    return '.contentType must be a media type, such as application/pdf';
  return COMPOSITE_TYPE.test(type) ? '.contentType must not be multipart or message' : undefined;
}

function contentIdFault(id: unknown): string | undefined {
  const isValid = id === undefined || id === null || (typeof id === 'string' && CONTENT_ID.test(id));
  return isValid ? undefined : '.contentId must be 1 to 78 characters without spaces, quotes and brackets';
}

function repeatedContentIds(attachments: readonly GivenAttachment[]): string[] {
  const ids = attachments.map(({ contentId }) => contentId ?? null);
  const repeated = ids.findIndex((id, i) => id !== null && ids.indexOf(id) < i);
  return repeated < 0 ? [] : [`attachments[${repeated}].contentId is used by another attachment`];
}

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    csv: 'text/csv',
    doc: 'application/msword',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    gif: 'image/gif',
    gz: 'application/gzip',
    htm: 'text/html',
    html: 'text/html',
    ics: 'text/calendar',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    json: 'application/json',
    mp3: 'audio/mpeg',
    mp4: 'video/mp4',
    odt: 'application/vnd.oasis.opendocument.text',
    pdf: 'application/pdf',
    png: 'image/png',
    ppt: 'application/vnd.ms-powerpoint',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    rtf: 'application/rtf',
    svg: 'image/svg+xml',
    tif: 'image/tiff',
    tiff: 'image/tiff',
    txt: 'text/plain',
    vcf: 'text/vcard',
    webp: 'image/webp',
    xls: 'application/vnd.ms-excel',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    xml: 'application/xml',
    zip: 'application/zip',
  }),
);

function typeOf(filename: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  return TYPES.get(extension) ?? 'application/octet-stream';
}
