import { describe, expect, it } from '@jest/globals';

import type { SesSettings } from '../../shared/account-settings.js';
import { changeSes } from './ses-settings.js';

const seal = (plain: string) => `sealed ${plain}`;
const stored: SesSettings = {
  region: 'eu-west-1',
  configurationSet: 'events',
  topicArn: null,
  accessKeyId: 'AKIA1',
  sealedSecretAccessKey: 'sealed one',
};

describe('changeSes', () => {
  it('keeps absent fields and clears those that are null', () => {
    expect(changeSes(stored, {}, seal)).toEqual(stored);
    expect(changeSes(stored, { region: 'us-east-1', configurationSet: null }, seal)).toEqual({
      ...stored,
      region: 'us-east-1',
      configurationSet: null,
    });
  });

  it('starts with a region and the credentials of the process', () => {
    expect(changeSes(null, { region: 'us-east-1' }, seal)).toEqual({
      region: 'us-east-1',
      configurationSet: null,
      topicArn: null,
      accessKeyId: null,
      sealedSecretAccessKey: null,
    });
    expect(() => changeSes(null, { configurationSet: 'events' }, seal)).toThrow('ses.region is required');
  });

  it('seals a new secret', () => {
    expect(changeSes(stored, { secretAccessKey: 'two' }, seal).sealedSecretAccessKey).toBe('sealed two');
  });

  it('returns to the credentials of the process', () => {
    expect(changeSes(stored, { accessKeyId: null }, seal)).toMatchObject({
      accessKeyId: null,
      sealedSecretAccessKey: null,
    });
  });

  it.each([{ accessKeyId: 'AKIA2' }, { secretAccessKey: null }, { accessKeyId: null, secretAccessKey: 'two' }])(
    'takes no half of the credentials: %j',
    (change) => {
      expect(() => changeSes(stored, change, seal)).toThrow(
        'ses.accessKeyId and ses.secretAccessKey are needed together',
      );
    },
  );
});
