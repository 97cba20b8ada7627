/** A TcpProxy in a process of its own, which ends with its parent. Answers every request once it is carried out. */
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
