import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { Config } from '../../../config/config.js';
import { isWithin, parseAddress } from '../../../shared/ip-address.js';

/** The address a request comes from: the first hop of X-Forwarded-For where its peer is trusted to set it. */
@Injectable()
export class ClientAddress {
  constructor(private readonly config: Config) {}

  /** As text; an X-Forwarded-For whose first hop is no address comes back as it is, and so matches no allowlist. */
  of(request: Request): string {
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
