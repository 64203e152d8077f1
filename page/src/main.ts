// SPDX-License-Identifier: Apache-2.0
import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";

const target = document.getElementById("page");
if (target === null) throw new Error("index.html has no element for the page");
mount(App, { target });
