import { describe, expect, it } from '@jest/globals';

import { toDeliveryError as toError } from './sns-error.js';

const failure = (name: string, httpStatusCode?: number, code?: string) =>
  Object.assign(new Error('what SNS says'), { name, code, $metadata: { httpStatusCode } });

const toDeliveryError = (error: unknown) => toError(error, new Date(0));

describe('an error of SNS', () => {
  it.each([
    ['InvalidParameterException', 400],
    ['InvalidParameterValueException', 400],
    ['ValidationException', 400],
    ['UserErrorException', 400],
    ['AuthorizationErrorException', 403],
    ['AccessDenied', 403],
  ])('%s is permanent', (name, status) => {
    expect(toDeliveryError(failure(name, status))).toMatchObject({
      name: 'PermanentDeliveryError',
      message: `${name}: what SNS says`,
    });
  });

  it.each(['OptedOutException', 'OptedOut'])('%s says that the recipient has opted out', (name) => {
    expect(toDeliveryError(failure(name, 400)).name).toBe('OptedOutError');
  });

  it.each([
    ['ThrottledException', 429],
    ['Throttling', 400],
    ['ThrottlingException', 400],
    ['KMSThrottlingException', 400],
    ['Unknown', 429],
  ])('%s throttles the account', (name, status) => {
    expect(toDeliveryError(failure(name, status)).name).toBe('ThrottledError');
  });

  it.each([
    ['InvalidClientTokenId', 403],
    ['SignatureDoesNotMatch', 403],
    ['ExpiredToken', 403],
    ['ExpiredTokenException', 400],
    ['CredentialsProviderError', undefined],
  ])('%s pauses the account', (name, status) => {
    expect(toDeliveryError(failure(name, status)).name).toBe('ProviderPausedError');
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND'])('%s is transient', (code) => {
    expect(toDeliveryError(failure('Error', undefined, code))).toMatchObject({
      name: 'TransientDeliveryError',
      message: `SNS cannot be reached: ${code}`,
    });
  });

  it.each([
    ['InternalErrorException', 500, undefined],
    ['TimeoutError', undefined, undefined],
    ['Error', undefined, 'ECONNRESET'],
  ])('%s has an unknown outcome', (name, status, code) => {
    expect(toDeliveryError(failure(name, status, code)).name).toBe('UnknownOutcomeError');
  });
});
