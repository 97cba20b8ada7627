// Runs the MCP server from its sources; the arguments are its own.
import { importTypeScript } from './import-typescript.mjs';

await importTypeScript('../../packages/mcp/src/main.ts');
