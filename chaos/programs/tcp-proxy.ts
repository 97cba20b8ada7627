/** A TcpProxy in a separate process, which ends with its parent. Responds to each request when it is done. */
import { TcpProxy } from '../../test/support/tcp-proxy.js';
import type { ProxyRequest } from '../proxy-process.js';

process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // Ctrl-C is for the parent, which still needs the database
const proxy = await TcpProxy.start();
process.on('message', ({ target, cut }: ProxyRequest) => {
  if (target !== undefined) proxy.target = target;
  if (cut) proxy.cut();
  process.send?.('done');
});
process.send?.({ port: proxy.port });
