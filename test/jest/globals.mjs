/** Evaluated in the context of Jest, once for each spec. */
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
