import type { components } from './schema';

/** What the API answers with and takes, by the names of its description. */
export type Schemas = components['schemas'];

export type Message = Schemas['MessageResponse'];
export type MessageStatus = Message['status'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type Scope = ApiKey['scopes'][number];
