import { Injectable, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { ACCESS } from './access.js';

const METHOD_METADATA = 'method';

/** Fails the start if a route has no access marker. */
@Injectable()
export class AccessMarkerCheck implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    const unmarked = this.discovery.getControllers().flatMap(({ metatype, name }) => {
      const prototype = (metatype as { prototype: Record<string, object> }).prototype;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((method) => isRoute(prototype[method]) && !Reflect.hasMetadata(ACCESS, prototype[method] as object))
        .map((method) => `${name}.${method}`);
    });
    if (unmarked.length > 0)
      throw new Error(`Routes without @RequireScope, @Session or @Public: ${unmarked.join(', ')}`);
  }
}

const isRoute = (method: object | undefined): boolean =>
  method !== undefined && (Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod | undefined) !== undefined;
