import { RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { ACCESS, type Access } from '../../src/platform/http/access/access.js';
import { RAW_BODY } from '../../src/platform/http/raw-body.js';
import { STREAMED_BODY } from '../../src/platform/http/streamed-body.js';
import { allowsUnknownFields } from '../../src/platform/http/unknown-fields.js';
import type { TestService } from './service.js';

export interface Route {
  method: 'get' | 'post' | 'patch' | 'delete' | 'put';
  path: string;
  access: Access;
  /** Reads a JSON body. */
  takesJson: boolean;
  allowsUnknownFields: boolean;
}

export function listRoutes(service: TestService): Route[] {
  const discovery = service.app.get(DiscoveryService, { strict: false });
  const scanner = service.app.get(MetadataScanner, { strict: false });
  return discovery.getControllers().flatMap(({ metatype }) => {
    const { prototype } = metatype as { prototype: Record<string, object> };
    const prefix = Reflect.getMetadata('path', metatype as object) as string;
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name]!;
      const method = Reflect.getMetadata('method', handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const path = `/${prefix}/${Reflect.getMetadata('path', handler) as string}`
        .replace(/\/+/g, '/')
        .replace(/(.)\/$/, '$1');
      return [
        {
          method: RequestMethod[method].toLowerCase() as Route['method'],
          path,
          access: Reflect.getMetadata(ACCESS, handler) as Access,
          takesJson: !Reflect.hasMetadata(STREAMED_BODY, handler) && !Reflect.hasMetadata(RAW_BODY, handler),
          allowsUnknownFields: allowsUnknownFields({
            getHandler: () => handler as () => void,
            getClass: () => metatype as Type,
          }),
        },
      ];
    });
  });
}
