export const DEFAULT_DAILY_SEND_CAP = 1_000;

export interface SmtpSettings {
  host: string;
  port: number;
  /** TLS from the first byte (usually port 465) instead of STARTTLS where the relay offers it. */
  secure: boolean;
  username: string | null;
  /** Sealed by the SecretBox. */
  sealedPassword: string | null;
}

/** A tenant: what it owns no other account sees. */
export class Account {
  id!: string;
  name!: string;
  /** Messages per UTC calendar day, over all channels and keys. */
  dailySendCap!: number;
  emailProvider!: 'smtp';
  smtp!: SmtpSettings | null;
  createdAt!: Date;
  updatedAt!: Date;
}
