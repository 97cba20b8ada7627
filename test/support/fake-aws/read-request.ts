import type { IncomingMessage } from 'node:http';

import { readScope, type Scope } from './authentication.js';
import type { AwsRequest } from './aws-call.js';
import { readSesRequest } from './sesv2.js';

export interface ReadRequest {
  request: AwsRequest;
  path: string;
  scope: Scope | undefined;
  /** The two GETs of a topic's subscriber, certificate and SubscribeURL, need no signature. */
  needsSignature: boolean;
}

/** SES is spoken to below `/v2`, SNS at `/`; what else is asked for is a certificate of SNS. */
export function readRequest({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): ReadRequest {
  const { pathname: path, searchParams } = new URL(url, 'http://aws');
  const scope = readScope(headers.authorization);
  const { accessKeyId = '', region = '' } = scope ?? {};
  if (path.startsWith('/v2/')) {
    const request = { service: 'ses' as const, accessKeyId, region, ...readSesRequest(method, path, body) };
    return { request, path, scope, needsSignature: true };
  }
  const parameters = Object.fromEntries(method === 'POST' ? new URLSearchParams(body) : searchParams);
  const operation = path === '/' ? (parameters.Action ?? '') : 'GetSigningCertificate';
  const needsSignature = method === 'POST' || (path === '/' && operation !== 'ConfirmSubscription');
  return { request: { service: 'sns', operation, accessKeyId, region, parameters }, path, scope, needsSignature };
}
