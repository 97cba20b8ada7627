/** The process of a receiver: `node <this file> '<options>'`, with a channel to its parent. Ends with it. */
import { importTypeScript } from './import-typescript.mjs';

process.on('disconnect', () => process.exit());
const { WebhookReceiverServer } = await importTypeScript('./webhook-receiver-server.ts');
const receiver = await WebhookReceiverServer.start(JSON.parse(process.argv[2]));
process.on('message', ({ id, request }) => process.send({ id, value: receiver.reply(request) }));
process.send({ port: receiver.port });
