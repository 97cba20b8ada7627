/** The names of the headers of a signed request, which contain the operator's brand. */
export interface SignatureHeaders {
  timestampHeader: string;
  signatureHeader: string;
  previousSignatureHeader: string;
}

export interface Snippet {
  language: string;
  code: string;
}

/** Functions that verify a request, ready to be copied. They follow "Verify it" of docs/webhooks.md. */
export const verificationSnippets = (headers: SignatureHeaders): readonly Snippet[] => [
  { language: 'Node.js', code: inNode(headers) },
  { language: 'Python', code: inPython(headers) },
  { language: 'Go', code: inGo(headers) },
];

const inNode = ({ timestampHeader, signatureHeader, previousSignatureHeader }: SignatureHeaders): string =>
  `import { createHmac, timingSafeEqual } from 'node:crypto';

/** \`rawBody\` is the body as bytes, before anything parses it. */
export function isGenuine(headers, rawBody, secret) {
  const timestamp = headers['${timestampHeader.toLowerCase()}'] ?? '';
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\\d+$/.test(timestamp) || Math.abs(age) > 300) return false;
  const hmac = createHmac('sha256', secret).update(timestamp + '.');
  const expected = Buffer.from('v1=' + hmac.update(rawBody).digest('base64'));
  const names = ['${signatureHeader.toLowerCase()}', '${previousSignatureHeader.toLowerCase()}'];
  return names.some((name) => {
    const given = Buffer.from(headers[name] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`;

const inPython = ({ timestampHeader, signatureHeader, previousSignatureHeader }: SignatureHeaders): string =>
  `import base64, hashlib, hmac, time


def is_genuine(headers, raw_body: bytes, secret: str) -> bool:
    """raw_body is the body as bytes, before anything parses it."""
    timestamp = headers.get("${timestampHeader}", "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + raw_body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    expected = b"v1=" + base64.b64encode(digest)
    names = ["${signatureHeader}", "${previousSignatureHeader}"]
    given = [headers.get(name, "").encode() for name in names]
    return any(hmac.compare_digest(each, expected) for each in given)
`;

const inGo = ({ timestampHeader, signatureHeader, previousSignatureHeader }: SignatureHeaders): string =>
  `import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"
)

// rawBody is the body as bytes, before anything parses it.
func isGenuine(header http.Header, rawBody []byte, secret string) bool {
	timestamp := header.Get("${timestampHeader}")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 300*time.Second {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := []byte("v1=" + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	given := []byte(header.Get("${signatureHeader}"))
	previous := []byte(header.Get("${previousSignatureHeader}"))
	return hmac.Equal(given, expected) || hmac.Equal(previous, expected)
}
`;
