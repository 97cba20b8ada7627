/** The region and the credentials of an account for Amazon's services. */
export interface AwsAccess {
  region: string;
  /** Null for the credentials of the process itself. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}
