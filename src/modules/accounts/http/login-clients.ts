import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Config } from '../../../config/config.js';
import { ClientAddress } from '../../../platform/http/access/client-address.js';
import type { LoginClient } from '../application/login-attempts.service.js';
import { type DeviceUser, KnownDevices } from '../application/ports/known-devices.js';

const YEAR_MS = 365 * 86_400_000;

/** Identifies the client of a login by its IP address and by the cookie of a browser in which users have signed in. */
@Injectable()
export class LoginClients {
  private readonly cookie: string;
  private readonly isSecure: boolean;
  private readonly path: string;

  constructor(
    { brand, baseUrl }: Config,
    private readonly clientAddress: ClientAddress,
    private readonly devices: KnownDevices,
  ) {
    this.cookie = `${brand.toLowerCase()}_device`;
    this.isSecure = baseUrl.startsWith('https:');
    this.path = `${new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, '')}/api/auth`;
  }

  identify(request: Request): LoginClient {
    return { address: this.clientAddress.find(request), deviceToken: this.deviceToken(request) };
  }

  /** Call it after the user has given the right password. */
  remember(request: Request, response: Response, user: DeviceUser): void {
    response.cookie(this.cookie, this.devices.remember(this.deviceToken(request), user), {
      httpOnly: true,
      sameSite: 'strict',
      secure: this.isSecure,
      path: this.path,
      maxAge: YEAR_MS,
    });
  }

  private deviceToken({ headers }: Request): string | undefined {
    const prefix = `${this.cookie}=`;
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
  }
}
