import { expect, it } from '@jest/globals';

import { AWS_SUBMISSIONS } from '../../config/limits.js';
import { AwsClients } from './aws-clients.js';

class TestClients extends AwsClients<{ destroy(): void }> {
  constructor() {
    super(() => ({ destroy: () => undefined }));
  }
}

it('Who only knows the id of the key of another AWS account does not take its permits', async () => {
  const clients = new TestClients();
  const access = (secretAccessKey: string) => ({
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIA', secretAccessKey },
  });
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const submitted: string[] = [];
  const submit = (secret: string) =>
    clients.submit(access(secret), () => {
      submitted.push(secret);
      return released;
    });
  const all = Array.from({ length: AWS_SUBMISSIONS + 1 }, () => submit('guessed'));
  all.push(submit('real'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(submitted).toEqual([...Array.from({ length: AWS_SUBMISSIONS }, () => 'guessed'), 'real']);
  release();
  await Promise.all(all);
  clients.onApplicationShutdown();
});
