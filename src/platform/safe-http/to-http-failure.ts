import { HttpFailure } from '../../shared/http-failure.js';
import { LeaseEndedError } from '../../shared/submission-check.js';

const CLOSED_EARLY = 'The connection was closed before the answer was complete';
const UNREACHABLE = 'The host cannot be reached';

const NETWORK_TROUBLE: Partial<Record<string, string>> = {
  ECONNREFUSED: 'The host refused the connection',
  ECONNRESET: CLOSED_EARLY,
  EPIPE: CLOSED_EARLY,
  UND_ERR_SOCKET: CLOSED_EARLY,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: CLOSED_EARLY,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: 'The host name does not resolve',
  ENODATA: 'The host name does not resolve',
  ETIMEOUT: 'The name servers of the host do not answer',
  ESERVFAIL: 'The name servers of the host fail',
  EAI_AGAIN: 'The name servers of the host do not answer',
};

/** Describes an error of undici, TLS or the resolver for the owner of the URL. Other errors are returned unchanged. */
export function toHttpFailure(error: unknown): unknown {
  if (error instanceof HttpFailure || error instanceof LeaseEndedError) return error;
  const { code = '' } = error as { code?: string };
  if (code === 'UND_ERR_INVALID_ARG') return error;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return new HttpFailure('timeout', 'The host does not accept connections in time', error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new HttpFailure('response_too_large', 'The headers of the answer are too large', error);
  return new HttpFailure('network', NETWORK_TROUBLE[code] ?? describe(code), error);
}

/** TLS codes come from OpenSSL (`DEPTH_ZERO_SELF_SIGNED_CERT`) or from Node (`ERR_TLS_CERT_ALTNAME_INVALID`). */
function describe(code: string): string {
  if (code.startsWith('HPE_')) return 'The answer is not HTTP';
  if (/CERT|UNABLE_TO_|SIGNATURE|CRL/.test(code)) return `The certificate of the host is not valid (${code})`;
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'The host does not speak TLS as it should';
  return 'The connection failed';
}
