import type { components } from './schema';

/** The schemas of openapi.json. */
export type Schemas = components['schemas'];

export type Message = Schemas['MessageResponse'];
export type MessageDetail = Schemas['MessageDetailResponse'];
export type MessageStatus = Message['status'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type Scope = ApiKey['scopes'][number];
