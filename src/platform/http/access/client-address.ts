import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { Config } from '../../../config/config.js';
import { isWithin, parseAddress } from '../../../shared/ip-address.js';

/** The address of the client: the first hop of X-Forwarded-For if the peer is a trusted proxy, else the peer. */
@Injectable()
export class ClientAddress {
  constructor(private readonly config: Config) {}

  /** Returns a first hop that is not an address unchanged; it matches no allowlist. */
  find(request: Request): string {
    const peer = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-for'];
    const firstHop = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim();
    if (!firstHop || !this.trusts(peer)) return peer;
    return parseAddress(firstHop)?.toString() ?? firstHop;
  }

  private trusts(peer: string): boolean {
    return this.config.trustedProxies === 'any' || this.config.trustedProxies.some((proxy) => isWithin(proxy, peer));
  }
}
