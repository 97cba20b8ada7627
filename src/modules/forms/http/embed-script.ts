/**
 * Served as embed.js to the pages of others: inserts an iframe with the hosted page before its own `<script>` element,
 * and fits the height of the iframe to its content.
 */
export const EMBED_SCRIPT = `(function () {
  'use strict';
  var script = document.currentScript;
  if (!script) return;
  var url = script.src.replace(/\\/embed\\.js(?:[?#].*)?$/, '');
  var frame = document.createElement('iframe');
  frame.src = url;
  frame.title = script.getAttribute('data-title') || 'Sign-up form';
  frame.style.width = '100%';
  frame.style.height = '30rem';
  frame.style.border = '0';
  script.parentNode.insertBefore(frame, script);
  window.addEventListener('message', function (event) {
    if (event.source !== frame.contentWindow || event.origin !== new URL(url).origin) return;
    var height = event.data && event.data.signupFormHeight;
    if (typeof height === 'number' && height > 0 && height < 1e4) frame.style.height = Math.ceil(height) + 'px';
  });
})();
`;

/** Runs in the iframe. Posts only its height to the parent. */
export const FRAME_SCRIPT = `if (window.parent !== window) {
  const report = () => {
    window.parent.postMessage({ signupFormHeight: document.documentElement.offsetHeight }, '*');
  };
  new ResizeObserver(report).observe(document.body);
}
`;
