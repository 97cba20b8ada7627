import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { absent, type ProviderRig } from './provider-contract.js';
import {
  SECRET,
  SMS,
  settingsWith,
  contextWith,
  forge,
  startCutting,
  closedPort,
  portOf,
  UNKNOWN_IF_CUT,
} from './provider-rig-parts.js';
import { SampleSmsProvider } from './sample-provider.js';

export async function sampleRig(): Promise<ProviderRig> {
  let accepted = 0;
  let refusal: number | 'drop' | 'garble' | null;
  const server = createHttpServer((request, response) => {
    void buffer(request).then(() => {
      const status = request.headers.authorization === `Bearer ${SECRET}` ? refusal : 401;
      if (typeof status !== 'number') accepted += 1;
      if (status === 'drop') request.socket.destroy();
      else if (status === 'garble') response.end('<html>');
      else response.writeHead(status ?? 200).end(JSON.stringify(status === null ? { id: 'm1' } : { error: 'No' }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cutting = await startCutting();
  const unused = await closedPort();
  let port: number;
  let token: string;
  const provider = () => new SampleSmsProvider(`http://127.0.0.1:${port}`, token);
  const sms = {
    ...{ enabled: true, region: 'nowhere-1', originationNumber: '+12065550100', senderId: null, twoWay: false },
    ...{ topicArn: null, maxSendRate: 5, sealedEventSigningKey: null },
  };
  const answers = (status: number | 'drop' | 'garble') => () => {
    refusal = status;
  };
  const body = Buffer.from(JSON.stringify({ id: 'm1', state: 'delivered', to: '+14155550100' }));
  const genuine = { headers: { signature: createHmac('sha256', SECRET).update(body).digest('hex') }, body };
  return {
    kind: 'sample',
    provider,
    waits: true,
    limit: absent('it takes messages as fast as they come'),
    findFault: absent('it has no request that sends nothing'),
    secrets: [SECRET],
    submit: (check) => provider().sendSms(SMS, provider().connect(settingsWith({ sms }))!, check),
    accepted: () => accepted,
    behave: {
      'refuses for good': answers(400),
      'refuses for now': answers(503),
      throttles: answers(429),
      'refuses the credentials': () => (token = 'wrong'),
      'cannot be connected to': () => (port = unused),
      'is cut off before it has the message': () => (port = portOf(cutting)),
      'is cut off after it has the message': answers('drop'),
      'cannot be read after it has the message': answers('garble'),
    },
    errors: UNKNOWN_IF_CUT,
    reports: [
      {
        ...{ reader: new SampleSmsProvider('', SECRET), provider: 'sample', genuine, forged: forge(genuine) },
        context: contextWith({ sms }),
      },
    ],
    reset: () => {
      [accepted, refusal, token, port] = [0, null, SECRET, portOf(server)];
    },
    stop: async () => {
      cutting.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
