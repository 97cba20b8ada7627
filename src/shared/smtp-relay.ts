/** An SMTP relay, with its credentials in clear. */
export interface SmtpRelay {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS if the relay offers it. */
  secure: boolean;
  username: string | null;
  password: string | null;
  /** Whether the address may be private, loopback or otherwise reserved. */
  allowPrivateAddress: boolean;
  /** Whether the password may be sent without TLS; over loopback it always may. */
  allowPlaintext: boolean;
}

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/**
 * Parses the operator's relay, `smtp://user:password@host:port` or `smtps://…` with percent-encoded credentials. Any
 * address is allowed. `smtp` uses STARTTLS if it is offered, `smtps` requires TLS.
 */
export function relayFromUrl(text: string): SmtpRelay {
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[(.+)\]$/, '$1'),
    port: url.port ? Number(url.port) : secure ? SUBMISSIONS_PORT : SUBMISSION_PORT,
    secure,
    username: decodeURIComponent(url.username) || null,
    password: decodeURIComponent(url.password) || null,
    allowPrivateAddress: true,
    allowPlaintext: true,
  };
}
