/** How to reach Amazon's services for an account. */
export interface AwsAccess {
  region: string;
  /** Null for the credentials of the process itself. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}
