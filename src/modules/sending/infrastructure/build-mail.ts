import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import type { default as MimeNode } from 'nodemailer/lib/mime-node';
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp';

/**
 * The bytes of a mail whose contents are strings: those of the node's own `build()`, which leads every part through streams
 * and several turns of the event loop and so takes a third of a delivery's time. Only the soft line breaks may lie
 * elsewhere. `firstHeaders` are header lines that come before those of the node.
 */
export function buildMail(root: MimeNode, firstHeaders: readonly string[] = []): Buffer {
  const mail = [...firstHeaders, partOf(root)].join('\r\n');
  if (mail.endsWith('\n')) return Buffer.from(mail);
  return Buffer.from(mail + (mail.endsWith('\r') ? '\n' : '\r\n'));
}

/** The headers come first: building them decides on encoding and boundary. */
function partOf(node: MimeNode): string {
  const headers = node.buildHeaders();
  return `${headers}\r\n\r\n${contentOf(node)}${node.multipart ? childrenOf(node) : ''}`;
}

function contentOf(node: MimeNode): string {
  const content = (node.content ?? '') as string;
  const encoding = node.getTransferEncoding();
  if (encoding === 'quoted-printable') return wrapQuotedPrintable(encodeQuotedPrintable(content));
  if (encoding === 'base64') return wrapBase64(encodeBase64(content));
  return content;
}

function childrenOf({ childNodes, boundary }: MimeNode): string {
  const parts = childNodes.map((child) => `--${String(boundary)}\r\n${partOf(child)}`);
  return `${parts.join('\r\n')}\r\n--${String(boundary)}--\r\n`;
}
