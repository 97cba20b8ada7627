/**
 * Posts the same request over CONNECTIONS connections for SECONDS, whatever the response, once it gets it from its
 * parent. Reports the responses per second and their statuses.
 */
import { once } from 'node:events';

import autocannon from 'autocannon';

export interface HostileRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface HostileReport {
  perSecond: number;
  /** How many responses had each status. */
  statuses: Record<string, number>;
}

const { CONNECTIONS, SECONDS } = process.env;
process.send?.('ready');
const [request] = (await once(process, 'message')) as [HostileRequest];
const load = autocannon(
  {
    ...request,
    ...{ method: 'POST', connections: Number(CONNECTIONS), duration: Number(SECONDS), timeout: 60 },
  },
  () => undefined,
);
const statuses: Record<string, number> = {};
load.on('response', (_client, status) => {
  statuses[status] = (statuses[status] ?? 0) + 1;
});
const [{ requests }] = (await once(load, 'done')) as [autocannon.Result];
process.send?.({ perSecond: requests.average, statuses } satisfies HostileReport, () => process.exit(0));
