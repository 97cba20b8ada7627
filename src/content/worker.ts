/** The program of the threads that do the content tasks. */
import { serveContentTasks } from '../concurrency/content-threads.js';
import { JSON_SHAPE, PARSE_JSON } from '../shared/json-tasks.js';
import { PIECES } from '../modules/sending/domain/derived-text.js';
import { IS_NESTED_TOO_DEEP } from '../modules/sending/domain/html-nesting.js';
import { IS_LINK_VISIBLE } from '../modules/sending/domain/visible-link.js';
import { COMPOSE } from '../modules/sending/infrastructure/compose-task.js';
import { READ_MAIL } from '../modules/submission/application/read-mail-task.js';
import { CHECK_PARTS, RENDER_PARTS } from '../modules/templates/domain/render-parts.js';

serveContentTasks([
  CHECK_PARTS,
  COMPOSE,
  IS_LINK_VISIBLE,
  IS_NESTED_TOO_DEEP,
  JSON_SHAPE,
  PARSE_JSON,
  PIECES,
  READ_MAIL,
  RENDER_PARTS,
]);
