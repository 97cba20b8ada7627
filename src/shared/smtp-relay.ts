/** How to reach a relay, with its credentials in clear. */
export interface SmtpRelay {
  host: string;
  port: number;
  /** TLS from the first byte instead of STARTTLS where the relay offers it. */
  secure: boolean;
  username: string | null;
  password: string | null;
  /** Whether its address may be a private, loopback or otherwise reserved one. */
  allowPrivateAddress: boolean;
  /** Whether the password may be sent over a connection without TLS; over loopback it always may. */
  allowPlaintext: boolean;
}

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/**
 * The operator's relay, from `smtp://user:password@host:port` or `smtps://…`; credentials are percent-decoded. Any
 * address is allowed, and STARTTLS is used where it is offered: `smtps` requires TLS.
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
