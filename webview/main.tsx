import { render } from "preact";
import { App } from "./app";
import "./styles/page.css";
import "./styles/entries.css";
import "./styles/controls.css";

const root = document.getElementById("root");
if (root !== null) render(<App />, root);
