import { AwsError } from './aws-error.js';

const CREDENTIAL = /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/\d{8}\/([^/,]+)\/([^/,]+)\/aws4_request,/;

/** What a signature is for; the signature itself is not verified, so any secret will do. */
export interface Scope {
  accessKeyId: string;
  region: string;
  service: string;
}

export type KeyState = 'valid' | 'unknown' | 'expired' | 'denied';

export interface Admission {
  keyState: (accessKeyId: string) => KeyState;
  /** Undefined: any. */
  regions: readonly string[] | undefined;
}

/** Why a request is refused, by the class that SES names and the code that SNS does. */
const REFUSALS = {
  unsigned: ['MissingAuthenticationTokenException', 'MissingAuthenticationToken', 'Missing Authentication Token'],
  unknown: [
    'UnrecognizedClientException',
    'InvalidClientTokenId',
    'The security token included in the request is invalid.',
  ],
  expired: ['ExpiredTokenException', 'ExpiredToken', 'The security token included in the request is expired'],
  denied: ['AccessDeniedException', 'AuthorizationError', 'The user is not authorized to perform this operation.'],
  region: ['InvalidSignatureException', 'SignatureDoesNotMatch', 'Credential should be scoped to a valid region.'],
  service: ['InvalidSignatureException', 'SignatureDoesNotMatch', 'Credential should be scoped to correct service.'],
} as const;

export function readScope(authorization = ''): Scope | undefined {
  const [, accessKeyId, region, service] = CREDENTIAL.exec(authorization) ?? [];
  return accessKeyId && region && service ? { accessKeyId, region, service } : undefined;
}

/** Throws the 403 that is due. */
export function authenticate(service: 'ses' | 'sns', scope: Scope | undefined, admission: Admission): void {
  const reason = reasonToRefuse(service, scope, admission);
  if (!reason) return;
  const [ses, sns, message] = REFUSALS[reason];
  throw new AwsError(403, service === 'ses' ? ses : sns, message);
}

function reasonToRefuse(
  service: string,
  scope: Scope | undefined,
  { keyState, regions }: Admission,
): keyof typeof REFUSALS | undefined {
  if (!scope) return 'unsigned';
  if (scope.service !== service) return 'service';
  if (regions && !regions.includes(scope.region)) return 'region';
  const state = keyState(scope.accessKeyId);
  return state === 'valid' ? undefined : state;
}
