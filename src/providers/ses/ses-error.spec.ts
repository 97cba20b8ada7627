import { describe, expect, it } from '@jest/globals';

import { toDeliveryError as toError } from './ses-error.js';

const failure = (name: string, message: string, httpStatusCode?: number, code?: string) =>
  Object.assign(new Error(message), { name, code, $metadata: { httpStatusCode } });

const toDeliveryError = (error: unknown) => toError(error, new Date(0));

describe('an error of SES', () => {
  it.each([
    ['MessageRejected', 'Content refused', 400],
    ['BadRequestException', 'Malformed', 400],
    ['NotFoundException', 'Configuration set <x> does not exist.', 404],
    ['MailFromDomainNotVerifiedException', 'Not verified', 400],
  ])('%s is permanent', (name, message, status) => {
    expect(toDeliveryError(failure(name, message, status))).toMatchObject({
      name: 'PermanentDeliveryError',
      message: `${name}: ${message}`,
    });
  });

  it('explains what to do about an unverified identity', () => {
    const message =
      'Email address is not verified. The following identities failed the check in region EU-WEST-1: a@b.c';
    expect(toDeliveryError(failure('MessageRejected', message, 400)).message).toMatch(
      /verify it in SES in this region/,
    );
  });

  it.each([
    ['SendingPausedException', 'Paused', 400],
    ['AccountSuspendedException', 'Suspended', 400],
    ['ExpiredTokenException', 'The security token included in the request is expired', 403],
    ['UnrecognizedClientException', 'The security token included in the request is invalid.', 403],
    ['ExpiredToken', 'expired', 400],
    ['CredentialsProviderError', 'Could not load credentials from any providers', undefined],
    ['LimitExceededException', 'Daily message quota exceeded', 400],
    ['ThrottlingException', 'Daily message quota exceeded.', 400],
  ])('%s pauses the account', (name, message, status) => {
    expect(toDeliveryError(failure(name, message, status)).name).toBe('ProviderPausedError');
  });

  it.each([
    ['TooManyRequestsException', 'Maximum sending rate exceeded.', 429],
    ['ThrottlingException', 'Maximum sending rate exceeded.', 400],
    ['Unknown', 'Slow down', 429],
  ])('%s throttles the account', (name, message, status) => {
    expect(toDeliveryError(failure(name, message, status)).name).toBe('ThrottledError');
  });

  it('AccessDenied is transient and does not pause the account', () => {
    expect(toDeliveryError(failure('AccessDeniedException', 'not authorized', 403)).name).toBe(
      'TransientDeliveryError',
    );
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND'])('%s is transient', (code) => {
    expect(toDeliveryError(failure('Error', 'connect', undefined, code)).name).toBe('TransientDeliveryError');
  });

  it('is transient if nothing was sent, and has an unknown outcome if something was, whatever its code is', () => {
    const after = (isWritten: boolean, code?: string) =>
      toDeliveryError(Object.assign(failure('TimeoutError', 'too late', undefined, code), { isWritten }));
    expect(after(false)).toMatchObject({
      ...{ name: 'TransientDeliveryError', message: 'SES cannot be reached: too late' },
    });
    expect(after(false, 'ECONNRESET').message).toBe('SES cannot be reached: ECONNRESET');
    expect(after(true).name).toBe('UnknownOutcomeError');
    expect(after(true, 'EHOSTUNREACH').name).toBe('UnknownOutcomeError');
  });

  it.each([
    ['InternalServiceErrorException', 'Oops', 500, undefined],
    ['TimeoutError', 'socket hang up', undefined, 'ECONNRESET'],
    ['TimeoutError', 'Request did not complete within the configured timeout', undefined, undefined],
  ])('%s has an unknown outcome', (name, message, status, code) => {
    expect(toDeliveryError(failure(name, message, status, code)).name).toBe('UnknownOutcomeError');
  });
});
