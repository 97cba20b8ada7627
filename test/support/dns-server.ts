import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

import {
  decodeQuery,
  type DnsQuery,
  type DnsRecord,
  type DnsType,
  type DnsValues,
  encodeReply,
  encodeTruncatedReply,
  RESPONSE_CODES,
} from './dns-message.js';

/** `timeout` never answers. */
export type DnsFault = 'servfail' | 'timeout' | 'nxdomain' | 'refused';

export interface AskedQuery {
  /** As asked. */
  name: string;
  /** Undefined: one that this server knows nothing of. */
  type: DnsType | undefined;
  transport: 'udp' | 'tcp';
}

const MOST_UDP_BYTES = 512;
const LONGEST_CNAME_CHAIN = 8;
const START_TRIES = 10;

/**
 * A name server on this machine that knows what a test configures, over UDP, and over TCP what UDP does not hold. Names
 * are compared without case; `*.example.com` stands for every name below that is neither set itself nor has one below.
 */
export class DnsServer {
  private readonly records = new Map<string, DnsRecord[]>();
  private readonly faults = new Map<string, DnsFault>();
  private readonly asked: AskedQuery[] = [];
  private readonly connections = new Set<Socket>();

  private constructor(
    private readonly tcp: Server,
    private readonly udp: UdpSocket,
  ) {
    udp.on('message', (message, client) => {
      this.answerUdp(message, client);
    });
    tcp.on('connection', (socket: Socket) => {
      this.answerTcp(socket);
    });
  }

  static async start(): Promise<DnsServer> {
    for (let tries = 1; ; tries++) {
      const tcp = createServer();
      const udp = createSocket('udp4');
      await once(tcp.listen(0, '127.0.0.1'), 'listening');
      try {
        await once(udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1'), 'listening');
        return new DnsServer(tcp, udp);
      } catch (error) {
        tcp.close(); // the port is free for TCP only
        if (tries === START_TRIES) throw error;
      }
    }
  }

  /** For DNS_SERVERS and `Resolver.setServers`. */
  get address(): string {
    return `127.0.0.1:${this.udp.address().port}`;
  }

  /** In place of what the name had of this type; none takes them away. */
  set<T extends DnsType>(name: string, type: T, values: readonly DnsValues[T][]): void {
    const others = this.records.get(keyOf(name))?.filter((record) => record.type !== type) ?? [];
    const all = [...others, ...values.map((value) => ({ name, type, value }))];
    if (all.length > 0) this.records.set(keyOf(name), all);
    else this.records.delete(keyOf(name));
  }

  /** How questions of any type for the name fail, until it is set to undefined. */
  fail(name: string, fault: DnsFault | undefined): void {
    if (fault) this.faults.set(keyOf(name), fault);
    else this.faults.delete(keyOf(name));
  }

  /** Oldest first. */
  queries(): readonly AskedQuery[] {
    return this.asked;
  }

  /** Forgets everything. */
  reset(): void {
    this.records.clear();
    this.faults.clear();
    this.asked.length = 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    this.udp.close();
    await new Promise((resolve) => this.tcp.close(resolve));
  }

  private answerUdp(message: Buffer, client: RemoteInfo): void {
    const query = decodeQuery(message);
    const reply = this.reply(query, 'udp');
    if (!reply) return;
    this.udp.send(reply.length > MOST_UDP_BYTES ? encodeTruncatedReply(query) : reply, client.port, client.address);
  }

  /** Each message has its length before it; several may come over one connection, in any pieces. */
  private answerTcp(socket: Socket): void {
    this.connections.add(socket);
    socket.on('close', () => this.connections.delete(socket));
    socket.on('error', () => undefined); // a client that hangs up is the client's affair
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const end = 2 + received.readUInt16BE();
        const reply = this.reply(decodeQuery(received.subarray(2, end)), 'tcp');
        received = received.subarray(end);
        if (!reply) continue;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(reply.length);
        socket.write(Buffer.concat([length, reply]));
      }
    });
  }

  private reply(query: DnsQuery, transport: 'udp' | 'tcp'): Buffer | undefined {
    const { name, type } = query;
    this.asked.push({ name, type, transport });
    const fault = find(this.faults, name);
    if (fault === 'timeout') return undefined;
    if (fault) return encodeReply(query, RESPONSE_CODES[fault], []);
    const answers = type ? this.resolve(name, type) : [];
    const exists = find(this.records, name) !== undefined || hasBelow(this.records, keyOf(name));
    return encodeReply(query, exists ? RESPONSE_CODES.noerror : RESPONSE_CODES.nxdomain, answers);
  }

  /** Follows aliases, each of which is part of the answer. */
  private resolve(name: string, type: DnsType): DnsRecord[] {
    const answers: DnsRecord[] = [];
    for (let owner = name; answers.length <= LONGEST_CNAME_CHAIN;) {
      const records = (find(this.records, owner) ?? []).map((record) => ({ ...record, name: owner }));
      const wanted = records.filter((record) => record.type === type);
      const [alias] = records.filter((record) => record.type === 'CNAME');
      if (wanted.length > 0 || !alias) return [...answers, ...wanted];
      answers.push(alias);
      owner = alias.value as string;
    }
    return answers;
  }
}

const keyOf = (name: string) => name.toLowerCase().replace(/\.$/, '');

/** What stands for the name itself, or for the nearest `*` above it that no other name hides. */
function find<T>(table: ReadonlyMap<string, T>, name: string): T | undefined {
  const key = keyOf(name);
  const own = table.get(key);
  if (own !== undefined || hasBelow(table, key)) return own;
  const labels = key.split('.');
  for (let at = 1; at < labels.length; at++) {
    const parent = labels.slice(at).join('.');
    const wildcard = table.get(`*.${parent}`);
    if (wildcard !== undefined || table.has(parent) || hasBelow(table, parent)) return wildcard;
  }
  return undefined;
}

const hasBelow = (table: ReadonlyMap<string, unknown>, name: string) =>
  [...table.keys()].some((key) => key.endsWith(`.${name}`));
