/** `node dist/main.js`: the build keeps the layout of the repository, so the program itself is dist/src/main.js. */
import './src/main.js';
