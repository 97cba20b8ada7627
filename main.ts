/** Entry point of `node dist/main.js`: the build keeps the layout of the repository, so main is in dist/src. */
import './src/main.js';
