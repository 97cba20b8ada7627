import './html-editor.css';

import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef } from 'react';

import { styleNonce } from '../../app/style-nonce';
import { templateFaults } from './template-faults';

export interface HtmlEditorProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  isReadOnly: boolean;
  /** Offered when a tag is typed. */
  variables: readonly string[];
}

/** An editor of HTML with Mustache tags: highlighting, faults at their position and completion of variables. */
export default function HtmlEditor({ value, onChange, label, isReadOnly, variables }: HtmlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const report = useEffectEvent((text: string) => {
    if (text !== value) onChange(text);
  });
  const complete = useEffectEvent((context: CompletionContext) => completionsOf(context, variables));
  const initial = useEffectEvent(() => value);
  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initial(),
        extensions: [
          ...EXTENSIONS,
          autocompletion({ override: [(context) => complete(context)], icons: false }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) report(update.state.doc.toString());
          }),
          EditorView.contentAttributes.of({ 'aria-label': label, ...(isReadOnly ? { 'aria-readonly': 'true' } : {}) }),
          EditorState.readOnly.of(isReadOnly),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, isReadOnly]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={host} className="html-editor" />;
}

/** Completes variables after `{{`, and after the character for a section or raw HTML. */
function completionsOf(context: CompletionContext, variables: readonly string[]): CompletionResult | null {
  const typed = context.matchBefore(/\{\{\{?[#^/&]?\s*[\w.]*/);
  if (!typed) return null;
  const start = typed.from + (/^\{\{\{?[#^/&]?\s*/.exec(typed.text)?.[0].length ?? 0);
  const close = context.state.sliceDoc(context.pos, context.pos + 2) === '}}' ? '' : '}}';
  return {
    from: start,
    options: variables.map((name) => ({ label: name, type: 'variable', apply: `${name}${close}` })),
    validFor: /^[\w.]*$/,
  };
}

const MUSTACHE = new MatchDecorator({
  regexp: /\{\{\{?[^{}\n]*\}\}\}?/g,
  decoration: Decoration.mark({ class: 'cm-mustache' }),
});

const mustache = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = MUSTACHE.createDeco(view);
    }

    update(update: ViewUpdate): void {
      this.decorations = MUSTACHE.updateDeco(update, this.decorations);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

const COLOURS = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'light-dark(#1864ab, #74c0fc)' },
  { tag: tags.attributeName, color: 'light-dark(#5f3dc4, #d0bfff)' },
  { tag: [tags.attributeValue, tags.string], color: 'light-dark(#2b6a30, #8ce99a)' },
  { tag: tags.comment, color: 'light-dark(#5c636a, #a6adb4)' },
  { tag: [tags.keyword, tags.propertyName], color: 'light-dark(#862e9c, #eebefa)' },
]);

const EXTENSIONS: readonly Extension[] = [
  // The policy of the page admits style sheets with its nonce only.
  EditorView.cspNonce.of(styleNonce),
  lineNumbers(),
  history(),
  drawSelection(),
  bracketMatching(),
  highlightActiveLine(),
  EditorView.lineWrapping,
  html({ autoCloseTags: false }),
  syntaxHighlighting(COLOURS),
  mustache,
  lintGutter(),
  linter((view) => templateFaults(view.state.doc.toString()).map((fault) => ({ ...fault, severity: 'error' }))),
  keymap.of([...defaultKeymap, ...historyKeymap]),
];
