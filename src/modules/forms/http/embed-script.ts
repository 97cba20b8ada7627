/**
 * What `<script src="…/f/<id>/embed.js" async></script>` runs in the page of somebody else: it puts the hosted page
 * into a frame, before itself, which is as high as its content.
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

/** Runs in the page in the frame. Its height is all that it tells. */
export const FRAME_SCRIPT = `if (window.parent !== window) {
  const report = () => {
    window.parent.postMessage({ signupFormHeight: document.documentElement.offsetHeight }, '*');
  };
  new ResizeObserver(report).observe(document.body);
}
`;
