// Stops an answer in the middle: a click of a slow test could come after its end.

/** Runs in the page. Presses Stop as soon as the next answer shows a text. */
export const stopAtFirstText = () => {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.turn.model:last-child > .text')) return;
    observer.disconnect();
    document.querySelector('#stop').click();
  });
  observer.observe(document.querySelector('#log'), { childList: true, subtree: true });
};
